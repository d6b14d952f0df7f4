#pragma once
// The hang watch of a job of MPI ranks. Rank 0 detects hangs and answers SIGUSR1.

#include "atoll/error.hpp"
#include "atoll/job/guard.hpp"
#include "atoll/job/mpi/note_carrier.hpp"
#include "atoll/job/mpi/session.hpp"

#include <csignal>
#include <optional>
#include <thread>
#include <unistd.h>

namespace atl::job {

/// Handles SIGUSR1, which asks rank 0 where tasks wait.
class question_signal {
 public:
  question_signal() {
    sigset_t none;
    sigemptyset(&none);
    if (questions_are_ours())
      action_.handle(SIGUSR1, [](int, siginfo_t*, void*) { asked = 1; }, SA_RESTART, none);
  }
  question_signal(const question_signal&) = delete;
  question_signal& operator=(const question_signal&) = delete;

  /// Returns whether the signal has arrived since the last call.
  static bool has_come() { return asked != 0 && std::exchange(asked, 0) != 0; }

 private:
  static inline volatile std::sig_atomic_t asked = 0;
  signal_actions action_;
};

/// Watches a job whose ranks are all on one node. Rank 0 has a guard (guard.hpp), like PE 0 of a
/// job without a launcher.
class watch_of_node {
 public:
  watch_of_node(session& session, shm::region& region, hang_rule rule)
      : signals_(region),
        none_(region.pes()),
        guard_(region, none_, signals_, rule.timeout,
               rule.is_quiescence_alone ? guard::watch::joined : guard::watch::all,
               [&session](int status) { end_ranks(session, status); }) {
    signals_.open();
  }
  ~watch_of_node() { guard_.bodies_have_ended(); }
  watch_of_node(const watch_of_node&) = delete;
  watch_of_node& operator=(const watch_of_node&) = delete;

 private:
  /// Ends all ranks, even if PE 0 itself is blocked. A new thread calls MPI_Abort, because the call
  /// may block. The function returns after one second, so that the guard can end this process even
  /// if MPI_Abort fails.
  static void end_ranks(session& session, int status) {
    session.kept().has_spoken = true;
    try {
      std::thread([&session, status] { session.mpi().abort(status); }).detach();
    } catch (...) {
      // If no thread can be started, the launcher ends the other ranks when this rank has ended.
      return;
    }
    sleep(1);
  }

  job_signals signals_;
  children none_;
  guard guard_;
};

/// Watches a job on several nodes. Rank 0 asks the other ranks for their states while rank 0 waits
/// for messages. After SIGUSR1, rank 0 asks the other ranks where tasks wait, but does not block
/// until they answer.
class watch_of_nodes {
 public:
  watch_of_nodes(transport::mpi::endpoint& wire, shm::region& node, hang_rule rule)
      : carrier_(wire, node), hangs_(carrier_, rule, looks_for_hangs) {
    if (wire.rank() != 0) return;
    wire.attend_by([this, &wire](bool waits) {
      take_questions();
      if (!is_asking_ && waits && hangs_.look(monotonic_now())) wire.fail(k_status_hang);
    });
  }

 private:
  // Answers SIGUSR1. If a second signal arrives soon after an answer, it is ignored, because the
  // launcher and the rank's keeper may both forward the same signal.
  void take_questions() {
    const bool has_come = question_signal::has_come();
    if (has_come && !is_asking_ && monotonic_now() >= next_question_) {
      carrier_.ask_who_waits();
      is_asking_ = true;
    }
    if (!is_asking_ || !carrier_.answer_is_due()) return;
    is_asking_ = false;
    say_answer(carrier_.answers_text());
    next_question_ = monotonic_now() + time_of_an_echo;
  }

  static constexpr nanoseconds time_of_an_echo = 500'000'000;
  static constexpr hang_protocol::pace looks_for_hangs{.shortest = 20'000'000,
                                                       .longest = 500'000'000};

  note_carrier carrier_;
  hang_protocol hangs_;
  bool is_asking_ = false;
  nanoseconds next_question_ = 0;
};

/// Contains the watch of this rank. In a job on one node, only rank 0 has a watch, a
/// `watch_of_node`. In a job on several nodes, each rank has a `watch_of_nodes`.
struct rank_watch {
  rank_watch(session& session, transport::mpi::endpoint& wire, shm::region& region,
             hang_rule rule) {
    const bool is_on_one_node = wire.far() == nullptr;
    if (is_on_one_node && session.is_first()) of_node.emplace(session, region, rule);
    if (!is_on_one_node && session.is_first()) questions.emplace();
    if (!is_on_one_node) of_nodes.emplace(wire, region, rule);
  }

  std::optional<question_signal> questions;
  std::optional<watch_of_node> of_node;
  std::optional<watch_of_nodes> of_nodes;
};

}  // namespace atl::job
