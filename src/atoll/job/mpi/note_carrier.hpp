#pragma once
// Questions and answers of the hang watch in a job on several nodes. PE 0 asks the other PEs by
// notes, because no PE sees the memory of all others.
//
// This carrier cannot see a job whose PE 0 is blocked outside `wait`. PEs that do not answer
// compute, are stopped or are blocked elsewhere, and the watch waits for them. The memory of its
// node shows the last site of such a PE. PE 0 reads that of its own node, and other PEs report for
// PEs of theirs.

#include "atoll/job/hang_carriers.hpp"
#include "atoll/transport/mpi/endpoint.hpp"
#include "atoll/transport/shm/region.hpp"

#include <optional>
#include <vector>

namespace atl::job {

class note_carrier final : public hang_carrier {
 public:
  /// Constructed on every PE; `node` is the memory of its node. Takes the notes of the wire, which
  /// must outlive this object.
  note_carrier(transport::mpi::endpoint& wire, shm::region& node);

  /// The next functions are for PE 0 only.
  std::optional<std::vector<pe_sample>> samples() override;
  std::string who_waits() override;

  /// Asks where tasks wait, without blocking. Once `answer_is_due`, `answers_text` returns the
  /// answers that have come. No other question may be asked in between.
  void ask_who_waits();
  bool answer_is_due() const;
  std::string answers_text();

  /// Asks only whether all PEs still answer. Each PE has decided by itself, when asked for its
  /// state, whether something has arrived.
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
  std::vector<std::uint64_t> last_sites_;                   ///< by PE, as far as reported
  std::vector<std::optional<pe_state>> states_;             ///< by PE
  std::vector<std::optional<observe::pe_answer>> answers_;  ///< by PE
};

}  // namespace atl::job
