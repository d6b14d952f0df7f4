#include "atoll/job/mpi/note_carrier.hpp"

#include "atoll/transport/site_word.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sched.h>
#include <string>

namespace atl::job {
namespace {

constexpr nanoseconds time_for_answers = 1'000'000'000;
// PE 0 numbers the questions that it sends to other PEs. A question with an odd number asks where
// tasks wait. A question with an even number asks for the state of a PE.
constexpr std::uint32_t about_tasks = 1;

// An answer about waiting tasks names the place where the last task of the answering PE was
// spawned. The answer also names the last tasks of other PEs of the same node (the following ranks,
// in cyclic order), because those PEs may be unable to answer. This constant is the maximum number
// of PEs whose last tasks one answer names.
constexpr std::size_t most_told_of = 64;

static_assert(sizeof(shm::answer_area) + most_told_of * sizeof(std::uint64_t) <=
              transport::internode::remote_wire::note_capacity);

template <class T>
std::span<const std::byte> bytes_of(const T& object) {
  return std::as_bytes(std::span(&object, 1));
}

}  // namespace

note_carrier::note_carrier(transport::mpi::endpoint& wire, shm::region& node)
    : wire_(wire),
      node_(node),
      last_sites_(static_cast<std::size_t>(wire.size())),
      states_(static_cast<std::size_t>(wire.size())),
      answers_(static_cast<std::size_t>(wire.size())) {
  wire_.far()->on_note([this](int from, note what, std::uint32_t number,
                              std::span<const std::byte> text) { take(from, what, number, text); });
}

void note_carrier::take(int from, note what, std::uint32_t number,
                        std::span<const std::byte> text) {
  if (what == note::question) return answer(from, number);
  if (number != question_) return;  // the answer belongs to an earlier question
  if (number % 2 == about_tasks) {
    auto area = std::make_unique<shm::answer_area>();
    std::memcpy(static_cast<void*>(area.get()), text.data(), sizeof *area);
    answers_[static_cast<std::size_t>(from)] = area->read(from);
    text = text.subspan(sizeof *area);
    for (const int pe : told_of_by(from)) {
      std::memcpy(&last_sites_[static_cast<std::size_t>(pe)], text.data(), sizeof(std::uint64_t));
      text = text.subspan(sizeof(std::uint64_t));
    }
  } else {
    pe_state state{};
    std::memcpy(&state, text.data(), sizeof state);
    states_[static_cast<std::size_t>(from)] = state;
    last_sites_[static_cast<std::size_t>(from)] = state.last_site;
  }
}

void note_carrier::answer(int from, std::uint32_t number) {
  if (number % 2 == about_tasks) {
    const auto area = std::make_unique<shm::answer_area>();
    area->write(wire_.sections().collect());
    const auto text = bytes_of(*area);
    std::vector<std::byte> all(text.begin(), text.end());
    const auto sites = last_sites_to_tell();
    const auto more = std::as_bytes(std::span(sites));
    all.insert(all.end(), more.begin(), more.end());
    wire_.far()->send_note(from, note::answer, number, all);
  } else {
    const pe_state state = wire_.state();
    wire_.far()->send_note(from, note::answer, number, bytes_of(state));
  }
}

/// Returns the PEs whose last tasks are named in an answer of PE `pe`. The result is `pe` itself
/// and the following ranks of its node, in cyclic order.
std::vector<int> note_carrier::told_of_by(int pe) const {
  const std::vector<int>& node_of = wire_.nodes().node_of;
  std::vector<int> found;
  for (int step = 0; step < wire_.size() && found.size() < most_told_of; ++step) {
    const int other = (pe + step) % wire_.size();
    if (node_of[static_cast<std::size_t>(other)] == node_of[static_cast<std::size_t>(pe)])
      found.push_back(other);
  }
  return found;
}

std::vector<std::uint64_t> note_carrier::last_sites_to_tell() const {
  std::vector<std::uint64_t> all;
  for (const int pe : told_of_by(wire_.rank())) {
    const int place = wire_.nodes().place_of[static_cast<std::size_t>(pe)];
    all.push_back(node_.block(place).life.last_site);
  }
  return all;
}

void note_carrier::ask(bool who_waits) {
  question_ += question_ % 2 == (who_waits ? about_tasks : 0) ? 2 : 1;
  std::ranges::fill(states_, std::nullopt);
  std::ranges::fill(answers_, std::nullopt);
  for (int pe = 0; pe < wire_.size(); ++pe)
    if (pe != wire_.rank()) wire_.far()->send_note(pe, note::question, question_, {});
}

bool note_carrier::all_have_answered() const {
  const bool tasks = question_ % 2 == about_tasks;
  for (std::size_t pe = 0; pe < states_.size(); ++pe) {
    const bool has = tasks ? answers_[pe].has_value() : states_[pe].has_value();
    if (static_cast<int>(pe) != wire_.rank() && !has) return false;
  }
  return true;
}

// While messages are in flight between nodes, the function reports that something has arrived at PE
// 0, so that the hang watch does not regard the job as quiescent.
std::optional<std::vector<pe_sample>> note_carrier::samples() {
  const bool asked = question_ != 0 && question_ % 2 != about_tasks;
  if (asked && !all_have_answered()) return std::nullopt;
  if (!asked) {
    ask(false);
    return std::nullopt;
  }
  states_[static_cast<std::size_t>(wire_.rank())] = wire_.state();
  std::vector<pe_sample> all;
  std::uint64_t under_way = 0;
  for (const auto& of : states_) {
    pe_sample seen;
    seen.phase = of->phase;
    seen.progress = of->progress;
    seen.deadline = of->timer == forever ? forever : monotonic_now() + of->timer;
    seen.something_arrived = of->something_arrived != 0;
    seen.what = of->waits != 0 ? pe_sample::activity::waits : pe_sample::activity::works;
    seen.thread.letter = of->waits != 0 ? 'S' : 'R';
    under_way += of->sent - of->received;
    all.push_back(seen);
  }
  if (under_way != 0) all.front().something_arrived = true;
  ask(false);
  return all;
}

bool note_carrier::hangs_for_certain(const std::vector<pe_sample>&, seeming) {
  ask_who_waits();
  await_answers();
  return all_have_answered();
}

void note_carrier::ask_who_waits() {
  asked_at_ = monotonic_now();
  ask(true);
}

bool note_carrier::answer_is_due() const {
  return all_have_answered() || monotonic_now() - asked_at_ >= time_for_answers;
}

void note_carrier::await_answers() {
  while (!answer_is_due()) {
    wire_.look_at_messages();
    sched_yield();
  }
}

std::string note_carrier::who_waits() {
  ask_who_waits();
  await_answers();
  return answers_text();
}

std::string note_carrier::answers_text() {
  std::vector<observe::pe_answer> found;
  std::string silent;
  for (int pe = 0; pe < wire_.size(); ++pe) {
    const auto& answer = answers_[static_cast<std::size_t>(pe)];
    if (pe == wire_.rank())
      found.push_back({pe, wire_.sections().collect(), 0});
    else if (answer)
      found.push_back(*answer);
    else
      silent += why_silent(pe);
  }
  return observe::who_waits_text(found) + silent;
}

std::string note_carrier::why_silent(int pe) {
  const auto index = static_cast<std::size_t>(pe);
  if (wire_.nodes().is_here(pe)) return near_.why_silent(wire_.nodes().place_of[index], pe);
  const site last = transport::site_of_word(last_sites_[index]);
  return fmt::format(
      "  PE {} does not answer: it computes, is stopped, or is blocked in a system call; {}\n", pe,
      last.known() ? "the last task that is known of it came from " + to_string(last)
                   : "no task of it is known yet");
}

}  // namespace atl::job
