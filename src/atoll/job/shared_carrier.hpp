#pragma once
// Questions and answers of the watch over hangs through the memory all PEs share.

#include "atoll/job/hang_protocol.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace atl::job {

/// Of one thread beside PE 0.
class shared_carrier final : public hang_carrier {
 public:
  /// `stopping` ends a wait for answers early.
  shared_carrier(shm::region& region, const std::atomic<bool>& stopping);

  std::optional<std::vector<pe_sample>> samples() override;
  std::string who_waits() override;

  /// Asks twice. A PE that answers and then waits again has looked, after the question, at its
  /// messages and at the memory it watches; no flag tells others of that memory. If no PE makes
  /// progress from before the first look to after the second, all were idle when the second
  /// question was asked. Each has then looked for everything that was sent or stored before.
  bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) override;

  /// Why PE `name`, which has place `pe` in the region, does not answer: a line of the report.
  std::string why_silent(int pe, int name);

 private:
  pe_sample sample(int pe);  // without its thread
  void ask_kernel(std::vector<pe_sample>& all);
  thread_state thread_of(int pe);
  bool has_own_process(int pe);
  bool has_left(int pe);
  bool has_answered(int pe, std::uint32_t question);
  void wait_for_answers(std::uint32_t question);
  enum class stance : std::uint8_t { at_rest, undecided, goes_on };
  stance stance_of(int pe, std::uint32_t question, const pe_sample& seen);
  stance stance_in_kernel(int pe, seeming kind);  // of one that does not answer
  bool all_rest(const std::vector<pe_sample>& seen, seeming kind);

  shm::region& region_;
  const std::atomic<bool>& stopping_;
  const std::uint64_t namespace_;             // of processes, as this one sees them
  std::vector<std::uint64_t> progress_seen_;  // by PE
};

}  // namespace atl::job
