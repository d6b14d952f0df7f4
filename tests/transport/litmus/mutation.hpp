#pragma once
// A fault planted into the code under test without a change of its text: something is done
// otherwise at one *site*, a line of it with an atomic operation. Sites are named by what they are:
// "release: bytes.store seq_cst".

#include <cstdint>
#include <string>

namespace atl::litmus {

enum class change : std::uint8_t {
  none,
  relaxed,    ///< of relaxed order
  plain,      ///< the read-modify-write is a relaxed store, where it must be behind a relaxed load
  postponed,  ///< done when the thread next stores or sleeps, or looks at the same word
  left_out
};

struct mutation {
  std::string site;
  change how = change::none;
};

}  // namespace atl::litmus
