#include "atoll/transport/mpi/hang_talk.hpp"

#include "atoll/base/exit_status.hpp"
#include "atoll/transport/clock.hpp"
#include "atoll/transport/hang_watch.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sched.h>
#include <utility>

namespace atl::transport::mpi {
namespace {

constexpr nanoseconds longest_period = 500'000'000;
constexpr nanoseconds shortest_period = 20'000'000;
constexpr int looks_a_timeout = 10;
constexpr nanoseconds time_for_answers = 1'000'000'000;
// Odd questions are about who waits where.
constexpr std::uint32_t about_tasks = 1;

volatile std::sig_atomic_t signalled = 0;

static_assert(sizeof(shm::answer_area) <= remote_wire::note_capacity);

template <class T>
std::span<const std::byte> bytes_of(const T& object) {
  return std::as_bytes(std::span(&object, 1));
}

double seconds(nanoseconds time) { return static_cast<double>(time) / 1e9; }

}  // namespace

hang_talk::hang_talk(remote_wire& wire, int rank, int size, nanoseconds timeout, self own)
    : wire_(wire),
      rank_(rank),
      size_(size),
      timeout_(timeout),
      period_(std::clamp(timeout / looks_a_timeout, shortest_period, longest_period)),
      own_(std::move(own)),
      judge_(timeout),
      states_(static_cast<std::size_t>(size)),
      answers_(static_cast<std::size_t>(size)) {
  wire_.on_note([this](int from, note what, std::uint32_t number, std::span<const std::byte> text) {
    take(from, what, number, text);
  });
}

void hang_talk::take(int from, note what, std::uint32_t number, std::span<const std::byte> text) {
  if (what == note::question) return answer(from, number);
  if (number != question_) return;  // too late
  if (number % 2 == about_tasks) {
    auto area = std::make_unique<shm::answer_area>();
    std::memcpy(static_cast<void*>(area.get()), text.data(), sizeof *area);
    answers_[static_cast<std::size_t>(from)] = area->read(from);
  } else {
    pe_state state{};
    std::memcpy(&state, text.data(), sizeof state);
    states_[static_cast<std::size_t>(from)] = state;
  }
}

void hang_talk::answer(int from, std::uint32_t number) {
  if (number % 2 == about_tasks) {
    const auto area = std::make_unique<shm::answer_area>();
    area->write(own_.findings());
    wire_.send_note(from, note::answer, number, bytes_of(*area));
  } else {
    const pe_state state = own_.state();
    wire_.send_note(from, note::answer, number, bytes_of(state));
  }
}

void hang_talk::ask(bool who_waits) {
  question_ += question_ % 2 == (who_waits ? about_tasks : 0) ? 2 : 1;
  std::ranges::fill(states_, std::nullopt);
  std::ranges::fill(answers_, std::nullopt);
  for (int pe = 0; pe < size_; ++pe)
    if (pe != rank_) wire_.send_note(pe, note::question, question_, {});
}

bool hang_talk::all_have_answered() const {
  const bool tasks = question_ % 2 == about_tasks;
  for (std::size_t pe = 0; pe < states_.size(); ++pe) {
    const bool has = tasks ? answers_[pe].has_value() : states_[pe].has_value();
    if (static_cast<int>(pe) != rank_ && !has) return false;
  }
  return true;
}

bool hang_talk::look(nanoseconds time) {
  if (timeout_ == 0) return false;
  if (last_look_ == 0) last_look_ = time;
  if (time - last_look_ < period_) return false;
  const nanoseconds elapsed = std::min(time - last_look_, 2 * period_);
  last_look_ = time;
  const bool asked_for_states = question_ != 0 && question_ % 2 != about_tasks;
  if (asked_for_states && !all_have_answered()) return false;
  if (asked_for_states && judge(elapsed)) return true;
  ask(false);
  return false;
}

bool hang_talk::judge(nanoseconds elapsed) {
  using verdict = hang_judge::verdict;
  switch (judge_.judge(samples(), elapsed)) {
  case verdict::quiescent:
    return end_job("nothing is under way, and the program has not ended");
  case verdict::no_progress:
    return end_job(fmt::format("no progress for {:.3g} s (--hang-timeout)", seconds(timeout_)));
  case verdict::sleeps:
    say_lines(fmt::format("atoll: no progress for {:.3g} s: a task on PE {} sleeps; the job waits "
                          "for it\n",
                          seconds(timeout_), judge_.pe()));
    return false;
  default:
    return false;
  }
}

// While something is under way, it is as if it had arrived somewhere.
std::vector<pe_sample> hang_talk::samples() const {
  std::vector<pe_sample> all;
  std::uint64_t under_way = 0;
  for (int pe = 0; pe < size_; ++pe) {
    const pe_state of = pe == rank_ ? own_.state() : *states_[static_cast<std::size_t>(pe)];
    pe_sample seen;
    seen.phase = of.phase;
    seen.progress = of.progress;
    seen.deadline = of.deadline;
    seen.something_arrived = of.something_arrived != 0;
    seen.what = of.waits != 0 ? pe_sample::activity::waits : pe_sample::activity::works;
    seen.thread.letter = of.waits != 0 ? 'S' : 'R';
    under_way += of.sent - of.received;
    all.push_back(seen);
  }
  if (under_way != 0) all.front().something_arrived = true;
  return all;
}

bool hang_talk::end_job(const std::string& why) {
  const std::string report = who_waits();
  if (!all_have_answered()) return false;  // it goes on, or is only slow
  say_lines(
      fmt::format("atoll: hang: {}\n{}atoll: ended with status {}\n", why, report, k_status_hang));
  return true;
}

void hang_talk::on_signal(int) { signalled = 1; }

void hang_talk::answer_signal() {
  if (signalled == 0) return;
  signalled = 0;
  say_lines("atoll: who waits where (SIGUSR1)\n" + who_waits());
}

std::string hang_talk::who_waits() {
  ask(true);
  const nanoseconds end = monotonic_now() + time_for_answers;
  while (!all_have_answered() && monotonic_now() < end) {
    wire_.progress(awaited::room);
    sched_yield();
  }
  std::vector<observe::pe_answer> found;
  std::string silent;
  for (int pe = 0; pe < size_; ++pe) {
    const auto& answer = answers_[static_cast<std::size_t>(pe)];
    if (pe == rank_)
      found.push_back({pe, own_.findings(), 0});
    else if (answer)
      found.push_back(*answer);
    else
      silent += fmt::format("  PE {} does not answer: it computes, or is stopped\n", pe);
  }
  return observe::who_waits_text(found) + silent;
}

}  // namespace atl::transport::mpi
