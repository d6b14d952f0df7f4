#pragma once
// Questions and answers of the watch over hangs in a job on several nodes: PE 0 asks the other PEs
// by notes, for no PE sees the memory of all others.
//
// What it cannot see: a job whose PE 0 is blocked outside `wait`. PEs that do not answer compute,
// are stopped or are blocked elsewhere: they are waited for. Where such a PE was last is known from
// the memory of its node: PE 0 looks itself, and other PEs tell of those of their node.

#include "atoll/job/shared_carrier.hpp"
#include "atoll/transport/mpi/endpoint.hpp"
#include "atoll/transport/shm/answer_area.hpp"

#include <optional>
#include <vector>

namespace atl::job {

class note_carrier final : public hang_carrier {
 public:
  /// On every PE; `node` is the memory of its node. Takes the notes of the wire, which it must not
  /// outlive.
  note_carrier(transport::mpi::endpoint& wire, shm::region& node);

  /// PE 0 only.
  std::optional<std::vector<pe_sample>> samples() override;
  std::string who_waits() override;

  /// As `who_waits`, without blocking: asks now; from `answer_is_due` on, `answers_text` has what
  /// has come. No other question may be asked in between.
  void ask_who_waits();
  bool answer_is_due() const;
  std::string answers_text();

  /// Each PE has judged by itself, when it was asked for its state, whether something has arrived;
  /// so this only asks whether all answer still.
  bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) override;

 private:
  using note = transport::far::note;
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
  std::vector<std::uint64_t> last_sites_;                   ///< by PE, as far as told
  std::vector<std::optional<pe_state>> states_;             ///< by PE
  std::vector<std::optional<observe::pe_answer>> answers_;  ///< by PE
};

}  // namespace atl::job
