// Implements `atoll top PID`, which shows what the PEs of a running job are doing.

#include "app/command.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>
#include <vector>

namespace atl::app {
namespace {

using job::pe_status;
using observe::counters;

struct top_flags {
  std::uint64_t process = 0;
  bool once = false;
  std::uint64_t interval = 1'000'000'000;
};

using sample = std::vector<pe_status>;

sample sample_of(const job::status_view& job) {
  sample all;
  for (int pe = 0; pe < job.pes(); ++pe) all.push_back(job.read(pe));
  return all;
}

constexpr std::int64_t k_long_without_sign = 1'000'000'000;

std::string state_of(const pe_status& now) {
  if (!now.begun) return "starts";
  if (now.idle_for > k_long_without_sign)
    return "idle for " + human_seconds(1e-9 * double(now.idle_for));
  if (now.age > k_long_without_sign)
    return "in one task or handler for " + human_seconds(1e-9 * double(now.age));
  return "";
}

std::string rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? human_number(static_cast<double>(count) / seconds) : "-";
}

std::string shares_of(const counters& between) {
  double known = 0;
  for (const auto& activity : observe::activity_table())
    known += static_cast<double>(between.*activity.nanoseconds);
  std::string text;
  for (const auto& activity : observe::activity_table()) {
    const auto time = static_cast<double>(between.*activity.nanoseconds);
    text += fmt::format(" {:>8}", known > 0 ? fmt::format("{:.1f}", 100 * time / known) : "-");
  }
  return text;
}

/// Returns a text with the present numbers of pending events, and of waiters for events. The
/// returned text also has the number of reservations (locks) that the shown PE passed to other PEs
/// since the last update.
std::string events_of(const counters& so_far, const counters& between) {
  const auto live = [](std::uint64_t begun, std::uint64_t ended) {
    return human_number(static_cast<double>(begun - std::min(begun, ended)));
  };
  return fmt::format(" {:>8} {:>8} {:>8}", live(so_far.events_made, so_far.events_ended),
                     live(so_far.waiters_added, so_far.waiters_woken),
                     std::uint64_t{between.reservations_migrated});
}

std::string line_of(std::size_t pe, const pe_status& before, const pe_status& now) {
  const counters between = observe::difference(now.counted, before.counted);
  const double seconds = before.begun ? 1e-9 * static_cast<double>(now.time - before.time) : 0;
  const std::uint64_t messages = between.messages_executed + between.local_messages_executed;
  return fmt::format("{:>4} {:>8} {:>10} {:>10} {:>10} {:>10} {:>8}{}{} {}\n", pe, now.process,
                     rate(between.tasks_started, seconds), rate(messages, seconds),
                     rate(between.buffer_bytes_sent, seconds),
                     human_number(double(now.ready_tasks)), std::uint64_t{between.steals},
                     events_of(now.counted, between), shares_of(between), state_of(now));
}

std::string table_of(const sample& before, const sample& now) {
  std::string text = fmt::format("{:>4} {:>8} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}",
                                 "PE", "process", "tasks/s", "messages/s", "bytes/s", "ready",
                                 "steals", "events", "waiters", "migrated");
  for (const auto& activity : observe::activity_table())
    text += fmt::format(" {:>8}", fmt::format("{} %", activity.name.substr(0, 6)));
  text += '\n';
  for (std::size_t pe = 0; pe < now.size(); ++pe) text += line_of(pe, before[pe], now[pe]);
  return text;
}

void show(const std::string& table, const top_flags& flags) {
  const bool in_place = !flags.once && isatty(STDOUT_FILENO) != 0;
  std::cout << (in_place ? "\033[H\033[J" : "") << table << (flags.once ? "" : "\n") << std::flush;
}

/// Shows the state of the job repeatedly until the job ends. With --once, the command prints the
/// state of the job once.
void watch_job(const job::status_view& job, const top_flags& flags) {
  sample before = sample_of(job);
  while (!job.ended()) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(flags.interval));
    sample now = sample_of(job);
    show(table_of(before, now), flags);
    if (flags.once) return;
    before = std::move(now);
  }
}

/// A process may run several jobs, so the command shows these jobs one after another.
int watch(const top_flags& flags) {
  const auto process = static_cast<pid_t>(flags.process);
  std::optional<job::status_view> job(std::in_place, process);
  while (true) {
    watch_job(*job, flags);
    if (flags.once) return 0;
    try {
      job.emplace(process);
    } catch (const error&) {
      std::cout << fmt::format("The job of process {} has ended.\n", process);
      return 0;
    }
  }
}

constexpr const char* k_top_explanation =
    "\nPID is any process of a job of this machine. Each PE shows its counters ten times a "
    "second,\n"
    "at no cost to speak of; tasks/s are those begun, events those that have not ended, waiters\n"
    "who waits for them, migrated the reservations that went to other PEs; the last columns are\n"
    "where the time went.\n\n"
    "  atoll top $(pidof -s myprogram)";

}  // namespace

void add_top(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<top_flags>();
  auto& command = add_command(root, context, "top", "Show what the PEs of a running job do",
                              [flags] { return watch(*flags); });
  add_count_flag(command, "PID", flags->process, 1, 4'194'304, "A process of the job").required();
  add_switch(command, "--once", flags->once, "Print one sample and end");
  add_duration_flag(command, "--interval", flags->interval, 10'000'000, 3'600'000'000'000,
                    "Time between two samples");
  add_explanation(command, k_top_explanation);
}

}  // namespace atl::app
