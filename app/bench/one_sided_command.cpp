// Implements `atoll bench put`, `get`, `barrier` and the other benchmarks of symmetric memory.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/one_sided.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace one_sided = bench::one_sided;
using one_sided::operation;

constexpr std::uint64_t k_largest = 4 << 20;

struct flags_of_access {
  benchmark_flags common;
  std::uint64_t bytes = 8;
  std::uint64_t time = 300'000'000;
  bool contended = false;
};

std::string name_of(operation what) {
  return std::string(one_sided::k_operation_names[static_cast<std::size_t>(what)]);
}

bool is_barrier(operation what) {
  return what == operation::barrier || what == operation::message_barrier;
}

/// Returns the operation that --compare measures in programs with other libraries if the benchmark
/// measures `what`.
operation beside(operation what) {
  switch (what) {
  case operation::send_receive:
    // In the programs that --compare runs, the operation "put" is a two-sided message if --way is
    // two-sided.
    return operation::put;
  case operation::message_barrier:
    return operation::barrier;
  case operation::message_allreduce:
    return operation::allreduce;
  case operation::sequential_reduce:
    return operation::reduce_to_one;
  default:
    return what;
  }
}

class one_sided_benchmark {
 public:
  one_sided_benchmark(operation what, const flags_of_access& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    chosen_.what = what;
    chosen_.bytes = flags.bytes;
    chosen_.seconds = 1e-9 * static_cast<double>(flags.time);
    chosen_.contended = flags.contended;
    if (options_.pes == 0 && !job::is_one_of_ranks()) options_.pes = 2;
    // The warning about long-running tasks is off, because in this benchmark the PE whose memory is
    // read intentionally computes without a break.
    if (what == operation::busy_get) options_.stall_time = 0;
  }

  int run() {
    report result(name_of(chosen_.what), options_);
    if (has_size()) result.parameter("size", flags_.bytes);
    if (chosen_.what == operation::atomic) result.parameter("contended", flags_.contended);
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result));
    result.verified(is_right_);
    return publish(result, flags_.common);
  }

 private:
  bool has_size() const { return !is_barrier(chosen_.what) && chosen_.what != operation::atomic; }

  measurements trial() {
    const auto found = result_of_job(options_, fmt::format("--size {}", chosen_.bytes),
                                     [this] { return one_sided::measure(chosen_); });
    if (found.wrong != 0) {
      is_right_ = false;
      log::write(log_level::error,
                 fmt::format("wrong result: {} values are not what they have to be", found.wrong));
    }
    measurements all = {{"nanoseconds", "ns", found.nanoseconds},
                        {"rate", "operations/s", 1e9 / found.nanoseconds},
                        {"rate_per_core", "operations/s", 1e9 / found.nanoseconds}};
    if (has_size())
      all.push_back({"bytes_per_second", "B/s",
                     1e9 * static_cast<double>(chosen_.bytes) / found.nanoseconds});
    if (found.nanoseconds_99 != 0) all.push_back({"nanoseconds_99", "ns", found.nanoseconds_99});
    if (found.memcpy_nanoseconds != 0) {
      all.push_back({"nanoseconds_memcpy", "ns", found.memcpy_nanoseconds});
      all.push_back({"over_memcpy", "", found.memcpy_nanoseconds / found.nanoseconds});
    }
    return all;
  }

  std::vector<compared_program> programs(const report& result) const {
    std::vector<compared_program> all;
    const auto add = [&](const std::string& library, const std::string& way) {
      std::vector<std::string> words = {"atoll-peer-" + library + "-one-sided", "--operation",
                                        name_of(beside(chosen_.what)),          "--size",
                                        std::to_string(chosen_.bytes),          "--processes",
                                        std::to_string(result.pes()),           "--seconds",
                                        fmt::format("{}", chosen_.seconds)};
      if (!way.empty()) words.insert(words.end(), {"--way", way});
      if (flags_.contended) words.emplace_back("--contended");
      all.emplace_back("peer:" + library + (way == "rma" ? "_rma" : ""), words);
      all.back().figure = "nanoseconds";
    };
    const bool is_one_sided = beside(chosen_.what) == chosen_.what;
    const bool has_rma = is_one_sided && (one_sided::is_between_two(chosen_.what) ||
                                          chosen_.what == operation::ring);
    const bool has_two_sided =
        chosen_.what != operation::atomic && chosen_.what != operation::busy_get;
    for (const std::string library : {"openmpi", "mpich"}) {
      if (has_two_sided) add(library, "two-sided");
      if (has_rma) add(library, "rma");
    }
    if (is_one_sided) add("shmem", "");
    if (is_one_sided) add("openshmem", "");
    return all;
  }

  const flags_of_access& flags_;
  settings options_;
  one_sided::load chosen_;
  bool is_right_ = true;
};

struct described {
  operation what;
  const char* summary;
};

constexpr described k_operations[] = {
    {operation::put, "A put to symmetric memory of another PE, until it is complete"},
    {operation::get, "A get from symmetric memory of another PE"},
    {operation::put_nbi, "Puts without waiting, 64 at a time"},
    {operation::get_nbi, "Gets without waiting, 64 at a time"},
    {operation::atomic, "A fetching atomic on symmetric memory of another PE"},
    {operation::send_receive, "A message that one PE sends and another receives"},
    {operation::barrier, "A barrier of all PEs on symmetric memory"},
    {operation::broadcast, "A broadcast on symmetric memory"},
    {operation::allreduce, "A reduction to all PEs on symmetric memory"},
    {operation::reduce_to_one, "A reduction to one PE on symmetric memory"},
    {operation::all_to_all, "A part for each PE from each, on symmetric memory"},
    {operation::ring, "A token round all PEs, by put and wait_until"},
    {operation::message_barrier, "A barrier of all PEs by messages"},
    {operation::message_allreduce, "A reduction to all PEs by messages"},
    {operation::sequential_reduce, "A reduction to one PE that adds what each has put there"},
    {operation::busy_get, "Gets from a PE that computes meanwhile"}};

constexpr const char* k_one_sided_explanation =
    "\nnanoseconds of one operation: the median over batches, of what all PEs do together the\n"
    "mean on the slowest PE. Of put and get PE 0 is the one, the last PE the other; a put is\n"
    "complete (quiet) before the next; nbi: of one of 64 to different places. A token: of one "
    "hop.\n"
    "send-receive: half a round trip of two_sided::send and receive between the same two PEs;\n"
    "more than --eager-limit bytes first wait for the receive.\n"
    "message-barrier, message-allreduce: the collectives that send messages, beside those on\n"
    "symmetric memory. sequential-reduce: each PE puts its part into memory of PE 0, which adds\n"
    "them one after the other, as programs must that have no reduction to one PE. busy-get:\n"
    "gets from a PE that computes meanwhile.\n"
    "over_memcpy: against memcpy of as many bytes, of PE 0, into the pages of the last PE.\n"
    "What was moved, counted or reduced is checked.\n\n"
    "--compare runs the same beside it, in turn: of openmpi and mpich with messages of two\n"
    "sides (put, get: half a round trip) or collectives, of openmpi_rma and mpich_rma with\n"
    "MPI's one-sided operations, of shmem with shmem.h on Atoll, of openshmem with that of Open\n"
    "MPI. times_X: this one over that. What is not one-sided here has openmpi and mpich beside\n"
    "it.\n\n"
    "  atoll bench put --size 1MiB --pes 2 --compare\n"
    "  atoll bench allreduce --size 1KiB --pes 8 --compare";

void add_operation(CLI::App& bench, command_context& context, const described& of) {
  const auto flags = std::make_shared<flags_of_access>();
  auto& command =
      add_command(bench, context, name_of(of.what), of.summary, [&context, flags, what = of.what] {
        return one_sided_benchmark(what, *flags, context.settings).run();
      });
  if (of.what == operation::sequential_reduce || of.what == operation::busy_get)
    leave_out_of_list(command);
  if (of.what == operation::atomic)
    add_switch(command, "--contended", flags->contended, "All PEs on one word of PE 0");
  else if (!is_barrier(of.what))
    add_size_flag(command, "--size", flags->bytes, 1, k_largest, "Bytes of an operation");
  add_duration_flag(command, "--time", flags->time, 1'000'000, 60'000'000'000,
                    "How long a trial measures (busy-get: 1,000 gets)");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_one_sided_explanation);
}

}  // namespace

void add_one_sided(CLI::App& bench, command_context& context) {
  for (const described& each : k_operations) add_operation(bench, context, each);
}

}  // namespace atl::app
