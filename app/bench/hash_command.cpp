// Implements `atoll bench hash-set` and `atoll bench hash-map`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/hash_local.hpp"
#include "bench/hash_tables.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace hash = bench::hash;

constexpr std::uint64_t k_usual_workers = 2048;
constexpr std::uint64_t k_usual_operations = 4'000'000;
// Maximum number of operations in a comparison job, which does not combine operations.
constexpr std::uint64_t k_most_alone = 2'000'000;

struct flags_of_hash {
  benchmark_flags common;
  hash::kind structure = hash::kind::set;
  double mix = 1;
  std::uint64_t operations = 0;
  std::uint64_t key_range = 1 << 10;
  bool alone = false;

  const char* name() const { return structure == hash::kind::set ? "hash-set" : "hash-map"; }
};

class hash_benchmark {
 public:
  hash_benchmark(const flags_of_hash& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes == 0 && !job::is_one_of_ranks()) options_.pes = 2;
    if (options_.origin("workers") == "default") options_.workers = k_usual_workers;
    chosen_.structure = flags.structure;
    chosen_.mix = flags.mix;
    chosen_.mode = options_.combining;
    chosen_.key_range = flags.key_range;
    chosen_.operations =
        flags.operations != 0 ? flags.operations : std::max(k_usual_operations, flags.key_range);
  }

  int run() {
    if (measures_local()) check_memory_of_local();
    report result(flags_.name(), options_);
    result.parameter("mix", chosen_.mix);
    result.parameter("key_range", chosen_.key_range);
    result.parameter("operations", chosen_.operations);
    result.parameter("workers", options_.workers);
    result.parameter("combining", options_.value("combining"));
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result.pes()));
    result.verified(!wrong_);
    return publish(result, flags_.common);
  }

 private:
  bool measures_local() const { return !flags_.alone && options_.transport != transport_kind::sim; }

  void check_memory_of_local() const {
    const std::uint64_t needed = hash::bytes_of_local(chosen_.key_range);
    const job_memory free = memory_for_job(options_);
    if (needed <= free.bytes) return;
    fail(errc::out_of_memory,
         "the local table of --key-range {} and its lookups need {}, and {}; --alone does without",
         chosen_.key_range, human_bytes(double(needed)), free.sentence);
  }

  hash::outcome job(const hash::parameters& chosen, const settings& options) {
    const auto found = result_of_job(
        options, fmt::format("--operations {} --key-range {}", chosen.operations, chosen.key_range),
        [&] { return hash::measure(chosen); });
    if (!found.right()) {
      wrong_ = true;
      log::write(log_level::error,
                 fmt::format("wrong result: {} keys, {} values and {} answers are not those of a "
                             "serial replay",
                             found.wrong_keys, found.wrong_values, found.wrong_answers));
    }
    return found;
  }

  /// Runs a second job, with the parameters `chosen`, for comparison. The second job writes no
  /// files for --metrics and --trace, because only the job that the user has chosen fills these two
  /// files.
  hash::outcome job_beside(const hash::parameters& chosen) {
    settings options = options_;
    options.metrics.clear();
    options.trace.clear();
    return job(chosen, options);
  }

  measurements trial() {
    const auto found = job(chosen_, options_);
    const double keys = static_cast<double>(std::max<std::uint64_t>(1, found.keys));
    measurements measured = {{"rate", "operations/s", found.rate()},
                             {"seconds", "s", found.seconds},
                             {"keys", "", static_cast<double>(found.keys)},
                             {"bytes_per_key", "B", static_cast<double>(found.bytes) / keys},
                             {"operations_per_commit", "", found.combined.operations_per_commit()}};
    if (flags_.alone) return measured;
    add_uncombined(measured, found);
    if (chosen_.mix == 1) {
      add_async(measured);
      add_latencies(measured);
    }
    if (measures_local()) add_local(measured);
    return measured;
  }

  void add_uncombined(measurements& measured, const hash::outcome& found) {
    hash::parameters alone = chosen_;
    alone.mode = combining_mode::none;
    alone.operations = std::min(alone.operations, k_most_alone);
    const double none = job_beside(alone).rate();
    alone.way = hash::form::delegates;
    const double by_delegates = job_beside(alone).rate();
    measured.push_back({"rate_none", "operations/s", none});
    measured.push_back({"rate_delegates", "operations/s", by_delegates});
    measured.push_back({"none_over_delegates", "", none / by_delegates});
    measured.push_back({"factor_over_none", "", found.rate() / none});
  }

  void add_async(measurements& measured) {
    hash::parameters async = chosen_;
    async.way = hash::form::async;
    measured.push_back({"rate_async", "operations/s", job_beside(async).rate()});
  }

  void add_latencies(measurements& measured) {
    hash::parameters timed = chosen_;
    timed.times_each = true;
    const double grown = job_beside(timed).p99_9_nanoseconds;
    timed.reserves = true;
    const double reserved = job_beside(timed).p99_9_nanoseconds;
    measured.push_back({"p99_9_growing", "ns", grown});
    measured.push_back({"p99_9_reserved", "ns", reserved});
    measured.push_back({"p99_9_growing_over_reserved", "", grown / reserved});
  }

  void add_local(measurements& measured) {
    const auto local = hash::measure_local(chosen_.key_range);
    if (local.wrong_answers != 0) {
      wrong_ = true;
      log::write(log_level::error,
                 fmt::format("wrong result: {} lookups in the local table", local.wrong_answers));
    }
    measured.push_back({"local_rate", "lookups/s", local.rate});
    measured.push_back({"local_limit", "reads/s", local.limit});
    measured.push_back({"local_fraction_of_limit", "", local.fraction_of_limit()});
    measured.push_back({"local_bytes_per_key", "B", local.bytes_per_key});
  }

  // Returns the other programs that --compare runs and compares with this benchmark. Each program
  // that --compare runs has one thread per PE.
  std::vector<compared_program> programs(std::uint64_t pes) const {
    const auto with = [&](const std::string& program) {
      return std::vector<std::string>{program,
                                      "--structure",
                                      flags_.name(),
                                      "--mix",
                                      fmt::format("{}", flags_.mix),
                                      "--operations",
                                      std::to_string(chosen_.operations),
                                      "--key-range",
                                      std::to_string(chosen_.key_range),
                                      "--threads",
                                      std::to_string(pes)};
    };
    return {{"peer:onetbb", with("atoll-peer-onetbb-hash")},
            {"peer:sharded", with("atoll-peer-sharded-hash")}};
  }

  const flags_of_hash& flags_;
  settings options_;
  hash::parameters chosen_;
  bool wrong_ = false;
};

constexpr const char* k_hash_explanation =
    "\nSo many tasks on each PE (--workers, here 2048 by default), each of which inserts or looks\n"
    "up keys below --key-range at random and waits for each; the table starts empty and grows by\n"
    "itself. Always verified against a serial replay of all operations: the keys and values that\n"
    "the table holds, which inserts were the first of their key, and how many lookups may have\n"
    "found theirs. Beside the mode asked for, each trial measures\n"
    "  rate_none        the same without combining\n"
    "  rate_delegates   the same by hand: a call to the owner of the key, who has a local table\n"
    "  rate_async       inserts that nobody waits for but the end of the scope (--mix 1.0 only)\n"
    "  p99_9_*          what one insert in a thousand takes longer than, while the table grows "
    "and\n"
    "                   in one whose memory was reserved (--mix 1.0 only)\n"
    "  local_*          a local table with --key-range keys on one core: lookups in batches "
    "beside\n"
    "                   prefetched reads at random places of as much memory, and its memory\n"
    "Peers (--compare): a concurrent table of oneTBB, and flat tables of Abseil behind sharded "
    "locks.\n\n";

void add_hash(CLI::App& bench, command_context& context, hash::kind structure) {
  const auto flags = std::make_shared<flags_of_hash>();
  flags->structure = structure;
  const char* const what = structure == hash::kind::set ? "set" : "map";
  auto& command = add_command(
      bench, context, flags->name(), fmt::format("Throughput of a global hash {}", what),
      [&context, flags] { return hash_benchmark(*flags, context.settings).run(); });
  add_real_flag(command, "--mix", flags->mix, 0, 1,
                "The part of the operations that insert; the others look up");
  add_count_flag(command, "--operations", flags->operations, 0, 10'000'000'000,
                 "Operations in all; 0: 4 million, or --key-range where that is more");
  add_count_flag(command, "--key-range", flags->key_range, 1, std::uint64_t{1} << 28,
                 "Keys are below it (default 1024)");
  add_switch(command, "--alone", flags->alone, "Measure nothing beside what is asked for");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(
      command,
      k_hash_explanation +
          fmt::format("  atoll bench {} --mix 0.5 --key-range 16777216 --compare", flags->name()));
}

}  // namespace

void add_hash_set(CLI::App& bench, command_context& context) {
  add_hash(bench, context, hash::kind::set);
}

void add_hash_map(CLI::App& bench, command_context& context) {
  add_hash(bench, context, hash::kind::map);
}

}  // namespace atl::app
