#pragma once
// Where events, reservations and phase barriers were made in jobs that have ended: for the error of
// who has kept a name, and uses it in a later job of the same process. The last few thousand names
// of the PEs that this process was are known.

#include "atoll/event/name.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace atl::events {

enum class kept_kind : std::uint8_t { event, triggered_event, reservation, barrier };

struct kept_name {
  name known;
  kept_kind kind;
  std::uint64_t made;  ///< the site, as a word that travels; of a triggered one: where it was
};

/// So many of a PE and kind are worth keeping.
inline constexpr std::size_t k_most_kept_of_pe = 2048;

/// A PE ends, and leaves these. Any thread.
void keep_names(std::vector<kept_name> of_pe) noexcept;

/// "the event made at a.cpp:10 in a job that has ended", as far as that is known. Any thread.
std::string text_of_ended(name known, const char* noun);

}  // namespace atl::events
