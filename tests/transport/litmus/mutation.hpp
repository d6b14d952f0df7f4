#pragma once
// A fault that is inserted into the tested code without changing its source. The fault is at one
// *site*, which is a source line with an atomic operation. The name of a site describes the
// operation, such as "release: bytes.store seq_cst".

#include <cstdint>
#include <string>

namespace atl::litmus {

enum class change : std::uint8_t {
  none,
  relaxed,  ///< The operation has relaxed memory order.
  plain,    ///< The read-modify-write becomes a relaxed load, followed by a relaxed store.
  /// The store is delayed until the thread stores again, sleeps or reads the same word.
  postponed,
  left_out
};

struct mutation {
  std::string site;
  change how = change::none;
};

}  // namespace atl::litmus
