#pragma once
// What one PE answers another that tries to acquire a reservation.

#include <cstdint>

namespace atl::events {

enum class try_result : std::uint32_t {
  refused,    ///< it is held, or waited for
  elsewhere,  ///< another PE knows more
  owned,      ///< who tried is the owner now
  lent,       ///< who tried holds it in the shared mode
};

struct try_answer {
  try_result result = try_result::refused;
  std::int32_t pe = 0;     ///< `elsewhere`: which; `lent`: the owner
  std::uint64_t made = 0;  ///< the site, as a word that travels
};

}  // namespace atl::events
