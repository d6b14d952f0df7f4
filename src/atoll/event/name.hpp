#pragma once
// All PEs identify an event by a name of 64 bits. The name contains the PE that owns the event, a
// slot in the table of that PE, and a generation number. Several events use a slot one after the
// other, and each event has its own generation number. If the generation of the slot is newer than
// the generation in the name, the event has ended.
//
// A process may run several jobs one after the other. The generations of a job differ from the
// generations of the 31 jobs before it. If a program keeps a name from an earlier job, the name is
// therefore not mistaken for a name of the present job.

#include <cstdint>
#include <string>
#include <vector>

namespace atl::events {

inline constexpr int k_generation_bits = 22;
inline constexpr int k_slot_bits = 26;
inline constexpr std::uint32_t k_last_generation = (std::uint32_t{1} << k_generation_bits) - 1;
/// Number of bits that identify the job; these are the highest bits of a generation.
inline constexpr int k_job_bits = 5;
inline constexpr std::uint32_t k_generations_of_job = 1u << (k_generation_bits - k_job_bits);
inline constexpr std::uint32_t k_most_slots = std::uint32_t{1} << k_slot_bits;

/// Returns the first generation of the job with the number `job`. Generation 0 belongs to no job.
/// After the event with the last generation of the job, a slot is not used again.
constexpr std::uint32_t first_generation(std::uint32_t job) {
  return job % (1u << k_job_bits) * k_generations_of_job + 1;
}
constexpr std::uint32_t last_generation(std::uint32_t job) {
  return first_generation(job) + k_generations_of_job - 2;
}

/// The name of an event is a plain value that can be copied. An event of generation 0 is treated as
/// triggered, so zeroed memory contains the name of a triggered event.
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
  /// Returns true if the name does not belong to the job whose first generation is `first`. The
  /// name of `event::none` belongs to all jobs.
  constexpr bool is_of_other_job_than(std::uint32_t first) const {
    return generation() - first >= k_generations_of_job - 1 && generation() != 0;
  }
  /// Returns the PE and the slot in the name as one number.
  constexpr std::uint64_t place() const { return word_ >> k_generation_bits; }

  /// Returns a number of 59 bits that identifies the event within one job. No event has the number
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

// The next functions remember the source lines where events, reservations and phase barriers of
// ended jobs were made. If the program uses an object of an ended job, the text of the error names
// the source line that made the object. Only the last few thousand objects are remembered.

enum class kept_kind : std::uint8_t { event, triggered_event, reservation, barrier };

struct kept_name {
  name known;
  kept_kind kind;
  /// The source line that made the object or triggered the event, as `site_word`.
  std::uint64_t made;
};

/// Largest number of objects that are remembered per PE and kind of object.
inline constexpr std::size_t k_most_kept_of_pe = 2048;

/// Remembers the objects `of_pe` of a PE for errors in later jobs. A PE calls this function at the
/// end of its job. Any thread may call this function.
void keep_names(std::vector<kept_name> of_pe) noexcept;

/// Returns a text such as "the event made at a.cpp:10 in a job that has ended". If the source line
/// is unknown, the text names the PE that made the event. Any thread may call this function.
std::string text_of_ended(name known, const char* noun);

}  // namespace atl::events
