#pragma once
// The 64 bits by which an event is known on all PEs: its owner, a slot in the table of that PE, and
// which use of the slot it is. A slot is used again and again; an older generation has triggered.
//
// The generations of a job are its own, and those of the 31 jobs of the process before it are
// others: so a name that was kept from one of them is not taken for one of this job.

#include <cstdint>
#include <string>
#include <vector>

namespace atl::events {

inline constexpr int k_generation_bits = 22;
inline constexpr int k_slot_bits = 26;
inline constexpr std::uint32_t k_last_generation = (std::uint32_t{1} << k_generation_bits) - 1;
inline constexpr int k_job_bits = 5;  ///< of the generation, the highest
inline constexpr std::uint32_t k_generations_of_job = 1u << (k_generation_bits - k_job_bits);
inline constexpr std::uint32_t k_most_slots = std::uint32_t{1} << k_slot_bits;

/// 0 is in no job, and the last one ends a slot.
constexpr std::uint32_t first_generation(std::uint32_t job) {
  return job % (1u << k_job_bits) * k_generations_of_job + 1;
}
constexpr std::uint32_t last_generation(std::uint32_t job) {
  return first_generation(job) + k_generations_of_job - 2;
}

/// A plain value. Generation 0 of any slot has triggered, so zeroed memory is the event that always
/// has.
class name {
 public:
  constexpr name() = default;
  constexpr name(int pe, std::uint32_t slot, std::uint32_t generation)
      : word_(static_cast<std::uint64_t>(pe) << (k_slot_bits + k_generation_bits) |
              static_cast<std::uint64_t>(slot) << k_generation_bits | generation) {}

  constexpr int pe() const { return static_cast<int>(word_ >> (k_slot_bits + k_generation_bits)); }
  constexpr std::uint32_t slot() const {
    return static_cast<std::uint32_t>(word_ >> k_generation_bits) & (k_most_slots - 1);
  }
  constexpr std::uint32_t generation() const {
    return static_cast<std::uint32_t>(word_) & k_last_generation;
  }
  /// It is of another job. Not that of `event::none`, which is of all.
  constexpr bool is_of_other_job_than(std::uint32_t first) const {
    return generation() - first >= k_generations_of_job - 1 && generation() != 0;
  }
  /// PE and slot, as one number.
  constexpr std::uint64_t place() const { return word_ >> k_generation_bits; }

  /// The whole name among those of one job, as a number of 59 bits; none of an event is 0.
  constexpr std::uint64_t in_job() const {
    return place() * k_generations_of_job + generation() % k_generations_of_job;
  }

  constexpr std::uint64_t word() const { return word_; }
  static constexpr name from_word(std::uint64_t word) {
    name known;
    known.word_ = word;
    return known;
  }

  friend constexpr bool operator==(const name&, const name&) = default;

 private:
  std::uint64_t word_ = 0;
};

// Where events, reservations and phase barriers were made in jobs that have ended: for the error of
// who has kept a name, and uses it in a later job of the same process. The last few thousand names
// of the PEs that this process was are known.

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
