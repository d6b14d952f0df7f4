// Implements `atoll bench gups`.

#include "bench/gups.hpp"
#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace atl::app {
namespace {

namespace gups = bench::gups;

struct flags_of_gups {
  benchmark_flags common;
  gups::parameters chosen{.log2_table = 24};
};

class gups_benchmark {
 public:
  gups_benchmark(const flags_of_gups& flags, settings options)
      : flags_(flags), options_(std::move(options)), chosen_(flags.chosen) {
    chosen_.verify = flags.common.verify;
  }

  int run() {
    report result("gups", options_);
    check_memory(result.pes());
    result.parameter("log2_table", chosen_.log2_table);
    result.parameter("updates_per_word", chosen_.updates_per_word);
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result));
    add_checks(result);
    return publish(result, flags_.common);
  }

 private:
  // Checks the memory of the tables before PEs are started. Later, the runtime checks the memory of
  // the tables again, together with its other allocations.
  void check_memory(std::uint64_t pes) const {
    const std::uint64_t table = pes * (sizeof(std::uint64_t) << chosen_.log2_table);
    const std::uint64_t needed = chosen_.verify ? 2 * table : table;
    const job_memory free = memory_for_job(options_);
    if (needed <= free.bytes) return;
    fail(errc::out_of_memory, "--log2-table: 2^{} words on each of {} PE{} need {}{}, and {}",
         chosen_.log2_table, pes, pes == 1 ? "" : "s", human_bytes(static_cast<double>(needed)),
         chosen_.verify ? ", half of it to verify them" : "", free.sentence);
  }

  gups::outcome job(const settings& options) {
    const auto outcome = result_of_job(options, fmt::format("--log2-table {}", chosen_.log2_table),
                                       [this] { return gups::measure(chosen_); });
    if (!last_ || !chosen_.verify || last_->right()) last_ = outcome;
    return outcome;
  }

  measurements trial() {
    const auto outcome = job(options_);
    measurements measured = {{"rate", "updates/s", outcome.rate()},
                             {"seconds", "s", outcome.seconds},
                             {"bytes_peak", "B", static_cast<double>(outcome.bytes_peak)}};
    if (!options_.aggregation) {
      const double aggregated = job(aggregating()).rate();
      measured.push_back({"rate_with_aggregation", "updates/s", aggregated});
      measured.push_back({"aggregation_factor", "", aggregated / outcome.rate()});
    }
    return measured;
  }

  // Returns the settings of the extra job with aggregation. The extra job with aggregation writes
  // no files for --metrics and --trace, because only the job that the user chose fills these files.
  settings aggregating() const {
    settings options = options_;
    options.aggregation = true;
    options.metrics.clear();
    options.trace.clear();
    return options;
  }

  // Returns the other programs that --compare runs and compares with this benchmark. The limit
  // program, a plain program with the same memory work, has a table of the chosen size on each
  // core. The peer, a program over MPI, has a table of the chosen size in each process.
  std::vector<compared_program> programs(const report& result) const {
    const auto with = [&](const std::string& program, std::uint64_t processes) {
      std::vector<std::string> command = {program,
                                          "--log2-table",
                                          std::to_string(chosen_.log2_table),
                                          "--updates-per-word",
                                          std::to_string(chosen_.updates_per_word),
                                          "--processes",
                                          std::to_string(processes)};
      if (chosen_.verify) command.emplace_back("--verify");
      return command;
    };
    return {{"limit", with("atoll-limit-gups", result.busy_cores())},
            {"peer:alltoallv", with("atoll-peer-alltoallv", result.pes())}};
  }

  void add_checks(report& result) const {
    result.section("applied_updates", last_->applied_updates);
    result.section("executed_messages", last_->executed_messages);
    if (!chosen_.verify) return;
    result.section("remote_updates", last_->remote_updates);
    result.section("wrong_words", last_->wrong_words);
    result.section("unrestored_words", last_->unrestored_words);
    result.verified(last_->right());
    if (!last_->right()) log::write(log_level::error, "wrong result: " + last_->complaint());
  }

  const flags_of_gups& flags_;
  settings options_;
  gups::parameters chosen_;
  // Outcome of the first job with a wrong result; if all results are right, outcome of the latest
  // job.
  std::optional<gups::outcome> last_;
};

constexpr const char* k_gups_text =
    "\nUpdate k takes the k-th number r of the random stream of HPCC and does\n"
    "table[r mod words] ^= r, on the PE that owns the word. The rate is that of all PEs.\n\n"
    "  atoll bench gups --pes 2 --log2-table 25 --verify --compare";

constexpr const char* k_gups_details =
    "\n  --verify           counts updates and messages, compares every word with a replay of the\n"
    "                     stream, and takes all updates back; needs twice the memory\n"
    "  --compare          limit: the loop on every core, each on a table of its own;\n"
    "                     peer:alltoallv: the same updates written by hand for MPI\n"
    "  --aggregation off  also measures the factor by which aggregation is faster";

}  // namespace

void add_bench_gups(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_gups>();
  auto& command =
      add_command(bench, context, "gups", "Random updates of one table over all PEs",
                  [&context, flags] { return gups_benchmark(*flags, context.settings).run(); });
  auto& chosen = flags->chosen;
  add_count_flag(command, "--log2-table", chosen.log2_table, 1, 40, "2^N words on each PE");
  add_count_flag(command, "--updates-per-word", chosen.updates_per_word, 1, 1024,
                 "Updates of a pass, in all this times the words");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, k_gups_text, k_gups_details);
}

}  // namespace atl::app
