// Implements the benchmarks of regions, `atoll bench copies` and `atoll bench reductions`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/copies.hpp"
#include "bench/reductions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace copies = bench::copies;

struct flags_of_copies {
  benchmark_flags common;
  std::uint64_t side = 2896;
};

class copies_benchmark {
 public:
  copies_benchmark(const flags_of_copies& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes == 0 && !job::present_launch()) options_.pes = 2;
  }

  int run() {
    report result("copies", options_);
    check_memory();
    result.parameter("side", flags_.side);
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(is_right_);
    return publish(result, flags_.common);
  }

 private:
  // Before PEs are started, checks that memory suffices. During the job, the runtime checks the
  // private memory of a PE only if a memory limit is set.
  void check_memory() const {
    const std::uint64_t needed = copies::bytes_of_pe_0(static_cast<std::int64_t>(flags_.side));
    const job_memory free = memory_for_job(options_);
    if (needed <= free.bytes) return;
    fail(errc::out_of_memory, "two blocks of --side {} need {} on PE 0, and {}", flags_.side,
         human_bytes(static_cast<double>(needed)), free.sentence);
  }

  measurements trial() {
    const auto found = result_of_job(options_, fmt::format("--side {}", flags_.side), [this] {
      return copies::measure(static_cast<std::int64_t>(flags_.side));
    });
    if (found.wrong_elements != 0) {
      is_right_ = false;
      log::write(log_level::error,
                 fmt::format("wrong result: {} elements were not copied", found.wrong_elements));
    }
    const auto bytes = static_cast<double>(found.bytes);
    measurements all = {{"rate", "B/s", bytes / found.seconds[0]},
                        {"rate_memcpy", "B/s", bytes / found.memcpy_seconds}};
    for (std::size_t k = 0; k < copies::k_source_names.size(); ++k)
      all.push_back({std::string(copies::k_source_names[k]).append("_over_memcpy"), "",
                     found.memcpy_seconds / found.seconds[k]});
    return all;
  }

  const flags_of_copies& flags_;
  settings options_;
  bool is_right_ = true;
};

constexpr const char* k_copies_explanation =
    "\nA block of --side * --side words of 8 bytes is copied into a region instance of PE 0, from\n"
    "one of PE 0 (own), from symmetric memory of the last PE, from private memory of the last PE\n"
    "(other), and from one of PE 0 so that rows become columns. Each over memcpy of as many "
    "bytes,\n"
    "which lie side by side. All elements are checked.\n\n"
    "  atoll bench copies --pes 2 --trials 9";

}  // namespace

void add_copies(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_copies>();
  auto& command =
      add_command(bench, context, "copies", "Copies of a block between region instances",
                  [&context, flags] { return copies_benchmark(*flags, context.settings).run(); });
  add_count_flag(command, "--side", flags->side, 1, 100'000, "Rows and columns of the block");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_copies_explanation);
}

namespace {

namespace reductions = bench::reductions;
using reductions::k_method_names;

/// A distribution of the reductions over the buckets. The distributions "dense" and "sparse" are
/// from the paper on Realm. In the distribution "zipf", a few buckets get most of the reductions.
struct shape {
  std::string_view name;
  std::uint64_t buckets;
  std::uint64_t reductions;
  reductions::distribution picks;
};
constexpr shape k_shapes[] = {
    {"dense", 256 << 10, 4 << 20, reductions::distribution::uniform},
    {"sparse", 4 << 20, 64 << 10, reductions::distribution::uniform},
    {"zipf", 4 << 20, 4 << 20, reductions::distribution::zipf},
};

struct flags_of_reductions {
  benchmark_flags common;
  std::string shape = "dense";
  std::string method = "automatic";
  std::uint64_t buckets = 0;
  std::uint64_t reductions = 0;
};

const shape& shape_of(const std::string& name) {
  for (const shape& each : k_shapes)
    if (each.name == name) return each;
  fail(errc::input, "--shape {}: there is dense, sparse and zipf", name);
}

class reductions_benchmark {
 public:
  reductions_benchmark(const flags_of_reductions& flags, settings options)
      : flags_(flags), options_(std::move(options)), shape_(shape_of(flags.shape)) {
    if (options_.pes == 0 && !job::present_launch()) options_.pes = 2;
    chosen_.picks = shape_.picks;
    chosen_.buckets = flags.buckets != 0 ? flags.buckets : shape_.buckets;
    chosen_.reductions = flags.reductions != 0 ? flags.reductions : shape_.reductions;
    chosen_.seed = options_.seed;
    read_method();
  }

  int run() {
    report result("reductions", options_);
    result.parameter("shape", std::string(shape_.name));
    result.parameter("method", flags_.method);
    result.parameter("buckets", chosen_.buckets);
    result.parameter("reductions", chosen_.reductions);
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result.busy_cores()));
    result.verified(is_right_);
    return publish(result, flags_.common);
  }

 private:
  void read_method() {
    if (flags_.method == "all") return;
    const auto* const found =
        std::find(k_method_names.begin(), k_method_names.end(), flags_.method);
    if (found == k_method_names.end())
      fail(errc::input,
           "--method {}: there is all, single, messages, localized, node_fold, fold, list, "
           "automatic and unaware",
           flags_.method);
    chosen_.way = static_cast<reductions::method>(found - k_method_names.begin());
  }

  double rate_of(reductions::method way) {
    reductions::parameters chosen = chosen_;
    chosen.way = way;
    const auto found = result_of_job(
        options_, fmt::format("--buckets {} --reductions {}", chosen.buckets, chosen.reductions),
        [&] { return reductions::measure(chosen); });
    if (found.wrong_buckets != 0) {
      is_right_ = false;
      log::write(log_level::error,
                 fmt::format("wrong result: {} buckets are not those of a serial histogram",
                             found.wrong_buckets));
    }
    return found.rate();
  }

  measurements trial() {
    if (flags_.method != "all") return {{"rate", "reductions/s", rate_of(chosen_.way)}};
    measurements all;
    double best = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(reductions::method::automatic); ++k) {
      const double rate = rate_of(static_cast<reductions::method>(k));
      all.push_back({std::string("rate_").append(k_method_names[k]), "reductions/s", rate});
      best = std::max(best, rate);
    }
    const double automatic = rate_of(reductions::method::automatic);
    all.insert(all.begin(), {"rate", "reductions/s", automatic});
    const double unaware = rate_of(reductions::method::unaware);
    all.push_back({"rate_unaware", "reductions/s", unaware});
    all.push_back({"automatic_over_best", "", automatic / best});
    all.push_back({"unaware_over_best", "", unaware / best});
    return all;
  }

  /// Returns the compared program, a plain program in which every core adds to random buckets in a
  /// loop. In the shape "dense" each core has its own buckets, and in other shapes all cores share
  /// the buckets.
  std::vector<compared_program> programs(std::uint64_t cores) const {
    std::vector<std::string> command = {"atoll-limit-reductions",
                                        "--buckets",
                                        std::to_string(chosen_.buckets),
                                        "--reductions",
                                        std::to_string(chosen_.reductions),
                                        "--processes",
                                        std::to_string(cores)};
    if (shape_.name != "dense") command.emplace_back("--shared");
    if (chosen_.picks == reductions::distribution::zipf) command.emplace_back("--zipf");
    return {{"limit", command}};
  }

  const flags_of_reductions& flags_;
  settings options_;
  const shape& shape_;
  reductions::parameters chosen_;
  bool is_right_ = true;
};

constexpr const char* k_reductions_explanation =
    "\nA task on each PE adds 1 to --reductions random buckets of a histogram that is spread over\n"
    "all PEs. The rate is that of all PEs, and includes making and merging what the tasks reduce\n"
    "into. Always verified against a serial histogram.\n"
    "  --shape    dense: 256 Ki buckets, 4 Mi reductions a task; sparse: 4 Mi buckets, 64 Ki;\n"
    "             zipf: 4 Mi of each, buckets by Zipf's law\n"
    "  --method   single: each bucket is read and written remotely under a reservation;\n"
    "             messages: an active message each; localized: the region is copied here and back\n"
    "             under a reservation; node_fold: a fold instance for all PEs of a node, by\n"
    "             atomics; fold, list: reduction instances of each task; automatic: what of these\n"
    "             two is best; unaware: the same, not told how many contributions come; all: one\n"
    "             after the other\n"
    "  --compare  limit: the plain loop on every core, into memory of its own (dense), or of "
    "all\n\n"
    "  atoll bench reductions --pes 2 --shape sparse --method all --compare";

}  // namespace

void add_reductions(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_reductions>();
  auto& command = add_command(
      bench, context, "reductions", "Contributions of all PEs to the buckets of a histogram",
      [&context, flags] { return reductions_benchmark(*flags, context.settings).run(); });
  add_text_flag(command, "--shape", "NAME", flags->shape, "dense, sparse or zipf");
  add_text_flag(command, "--method", "NAME", flags->method, "How they come there, or all");
  add_count_flag(command, "--buckets", flags->buckets, 0, std::uint64_t{1} << 31,
                 "Buckets (0: as the shape says)");
  add_count_flag(command, "--reductions", flags->reductions, 0, std::uint64_t{1} << 31,
                 "Reductions of each task (0: as the shape says)");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_reductions_explanation);
}

}  // namespace atl::app
