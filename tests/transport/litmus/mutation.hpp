#pragma once
// A fault that is planted into the code under test without changing its text. The fault is at one
// *site*: a line with an atomic operation. The name of a site describes the operation, such as
// "release: bytes.store seq_cst".

#include <cstdint>
#include <string>

namespace atl::litmus {

enum class change : std::uint8_t {
  none,
  relaxed,    ///< of relaxed order
  plain,      ///< the read-modify-write is a relaxed store behind a relaxed load
  postponed,  ///< done when the thread next stores or sleeps, or reads the same word
  left_out
};

struct mutation {
  std::string site;
  change how = change::none;
};

}  // namespace atl::litmus
