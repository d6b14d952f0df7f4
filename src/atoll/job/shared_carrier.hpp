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
  hang_report who_waits() override;

 private:
  pe_sample sample(int pe);  // without its thread
  void ask_kernel(std::vector<pe_sample>& all);
  thread_state thread_of(int pe);
  bool has_left(int pe);
  bool has_answered(int pe, std::uint32_t question);
  void wait_for_answers(std::uint32_t question);
  std::string why_silent(int pe);

  shm::region& region_;
  const std::atomic<bool>& stopping_;
  std::vector<std::uint64_t> progress_seen_;  // by PE
};

}  // namespace atl::job
