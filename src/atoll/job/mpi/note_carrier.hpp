#pragma once
// The `hang_carrier` of a job on several nodes. PE 0 asks the other PEs by short messages (notes,
// internode/remote_wire.hpp), because no PE can access the memory of all nodes.
//
// The hang watch does not notice a hang while PE 0 is blocked outside of `wait`. If a PE does not
// answer, the PE may compute, be stopped, or be blocked in a system call, so the hang watch waits
// for the answer. For a PE that does not answer, the report names the place where the PE's last
// task was spawned. If a PE cannot answer, another PE of its node reads from shared memory where
// the last task of the silent PE was spawned.

#include "atoll/job/hang_carriers.hpp"
#include "atoll/transport/mpi/endpoint.hpp"
#include "atoll/transport/shm/region.hpp"

#include <optional>
#include <vector>

namespace atl::job {

class note_carrier final : public hang_carrier {
 public:
  /// Every PE constructs a `note_carrier`, which answers the questions of PE 0. `node` is the
  /// region of this PE's node. The object receives all notes of `wire` and must not outlive `wire`.
  note_carrier(transport::mpi::endpoint& wire, shm::region& node);

  /// Only PE 0 may call this function and the following public functions.
  std::optional<std::vector<pe_sample>> samples() override;
  std::string who_waits() override;

  /// Asks all PEs where tasks wait, without blocking. When `answer_is_due` returns true,
  /// `answers_text` returns the answers that have arrived. Do not call `samples` or `who_waits`
  /// before `answers_text`.
  void ask_who_waits();
  bool answer_is_due() const;
  std::string answers_text();

  /// Checks only that all PEs answer within a second. No further check for messages is necessary,
  /// because each PE has looked for new messages before it reported its state for `seen`.
  bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) override;

 private:
  using note = transport::internode::note;
  using pe_state = transport::mpi::pe_state;

  void take(int from, note what, std::uint32_t number, std::span<const std::byte> text);
  void answer(int from, std::uint32_t number);
  void ask(bool who_waits);
  void await_answers();
  bool all_have_answered() const;
  std::vector<int> told_of_by(int pe) const;
  std::vector<std::uint64_t> last_sites_to_tell() const;
  std::string why_silent(int pe);

  transport::mpi::endpoint& wire_;
  shm::region& node_;
  std::atomic<bool> stopping_{false};
  shared_carrier near_{node_, stopping_};
  std::uint32_t question_ = 0;
  nanoseconds asked_at_ = 0;
  /// Place where the last task of each PE was spawned; 0 if the place was not reported yet.
  std::vector<std::uint64_t> last_sites_;
  std::vector<std::optional<pe_state>> states_;             ///< state that each PE has reported
  std::vector<std::optional<observe::pe_answer>> answers_;  ///< tasks that each PE has reported
};

}  // namespace atl::job
