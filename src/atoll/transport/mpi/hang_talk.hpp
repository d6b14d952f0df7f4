#pragma once
// The watch over hangs of a job on several nodes: PE 0, while it waits, asks the other PEs from
// time to time how they are, and who waits where when nothing goes on any more. All by notes: no
// PE sees the memory of all others.
//
// What it cannot see: a job whose PE 0 is blocked outside `wait`. PEs that do not answer compute,
// or are stopped: they are waited for.

#include "atoll/transport/hang_judge.hpp"
#include "atoll/transport/mpi/remote_wire.hpp"
#include "atoll/transport/shm/answer_area.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl::transport::mpi {

/// What a PE says when it is asked how it is.
struct pe_state {
  std::uint64_t phase;     ///< of working and waiting, counted
  std::uint64_t progress;  ///< as in pe_life
  nanoseconds deadline;
  std::uint64_t sent;  ///< as in remote_wire
  std::uint64_t received;
  std::uint32_t waits;
  std::uint32_t something_arrived;
};

class hang_talk {
 public:
  /// What it asks of its own PE.
  struct self {
    std::function<pe_state()> state;
    std::function<std::vector<observe::finding>()> findings;
  };

  /// `timeout` of 0: only `answer_signal` is of use. Takes the notes of the wire.
  hang_talk(remote_wire& wire, int rank, int size, nanoseconds timeout, self own);

  /// PE 0, within `wait`, every now and then. True when the job hangs: it has been said, and is to
  /// be ended.
  bool look(nanoseconds time);

  /// PE 0: when `on_signal` has run since, prints who waits where. Blocks until all have answered,
  /// a second at most.
  void answer_signal();

  /// A signal handler.
  static void on_signal(int);

 private:
  std::string who_waits();
  void take(int from, note what, std::uint32_t number, std::span<const std::byte> text);
  void answer(int from, std::uint32_t number);
  void ask(bool who_waits);
  bool all_have_answered() const;
  bool judge(nanoseconds elapsed);
  std::vector<pe_sample> samples() const;
  bool end_job(const std::string& why);

  remote_wire& wire_;
  const int rank_;
  const int size_;
  const nanoseconds timeout_;
  const nanoseconds period_;
  const self own_;
  hang_judge judge_;
  std::uint32_t question_ = 0;
  nanoseconds last_look_ = 0;
  std::vector<std::optional<pe_state>> states_;             ///< by PE
  std::vector<std::optional<observe::pe_answer>> answers_;  ///< by PE
};

}  // namespace atl::transport::mpi
