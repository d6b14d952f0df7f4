#pragma once
// A name has 64 bits, by which all PEs know an event: its owner, a slot in the table of the owner,
// and a generation. The generation distinguishes the events that have used the slot one after the
// other. An event of an older generation than the slot has ended.
//
// Each job has generations of its own, different from those of the 31 jobs before it in the
// process. A name that was kept from one of these jobs is therefore never taken for a name of this
// job.

#include <cstdint>
#include <string>
#include <vector>

namespace atl::events {

inline constexpr int k_generation_bits = 22;
inline constexpr int k_slot_bits = 26;
inline constexpr std::uint32_t k_last_generation = (std::uint32_t{1} << k_generation_bits) - 1;
inline constexpr int k_job_bits = 5;  ///< the highest bits of a generation
inline constexpr std::uint32_t k_generations_of_job = 1u << (k_generation_bits - k_job_bits);
inline constexpr std::uint32_t k_most_slots = std::uint32_t{1} << k_slot_bits;

/// Returns the first generation of a job. Generation 0 belongs to no job. A slot that has reached
/// the last generation is not used again.
constexpr std::uint32_t first_generation(std::uint32_t job) {
  return job % (1u << k_job_bits) * k_generations_of_job + 1;
}
constexpr std::uint32_t last_generation(std::uint32_t job) {
  return first_generation(job) + k_generations_of_job - 2;
}

/// A name is a plain value. Generation 0 of any slot counts as triggered, so zeroed memory is an
/// event that has always triggered.
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
  /// Returns true if the name belongs to a job other than the one with the first generation
  /// `first`. The name of `event::none` belongs to all jobs.
  constexpr bool is_of_other_job_than(std::uint32_t first) const {
    return generation() - first >= k_generations_of_job - 1 && generation() != 0;
  }
  /// Returns the PE and the slot as one number.
  constexpr std::uint64_t place() const { return word_ >> k_generation_bits; }

  /// Returns the name as a number of 59 bits that is unique within one job. No event has the number
  /// 0.
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

// The next functions keep the places where events, reservations and phase barriers of ended jobs
// were made. If a name is used in a later job of the same process, the error names this place. The
// last few thousand names of PEs of this process are kept.

enum class kept_kind : std::uint8_t { event, triggered_event, reservation, barrier };

struct kept_name {
  name known;
  kept_kind kind;
  std::uint64_t made;  ///< the place as a site_word; for a triggered event that of the trigger
};

/// Largest number of names that are kept per PE and kind of object.
inline constexpr std::size_t k_most_kept_of_pe = 2048;

/// Keeps the names `of_pe` of a PE that ends. Any thread may call this function.
void keep_names(std::vector<kept_name> of_pe) noexcept;

/// Returns a text such as "the event made at a.cpp:10 in a job that has ended", as far as the place
/// is known. Any thread may call this function.
std::string text_of_ended(name known, const char* noun);

}  // namespace atl::events
