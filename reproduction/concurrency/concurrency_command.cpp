// Implements `atoll-papers concurrency`, which measures how many tasks hide a latency.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "app/kernels/kernels.hpp"
#include "atoll/log.hpp"
#include "reproduction/concurrency/concurrency.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::reproduction {
namespace {

using namespace app;

struct flags_of_concurrency {
  benchmark_flags common;
  tree_parameters tree = *find_tree("T1");
  std::vector<std::uint64_t> workers = {16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
};

class concurrency_benchmark {
 public:
  concurrency_benchmark(const flags_of_concurrency& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes == 0) options_.pes = 2;
  }

  int run() {
    report result("concurrency", options_);
    result.parameter("tree", std::string(flags_.tree.name));
    result.parameter("workers", flags_.workers);
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(wrong_searches_ == 0);
    if (!result.wrong()) add_table(result);
    return publish(result, flags_.common);
  }

 private:
  static std::string name(const std::string& metric, std::uint64_t workers) {
    return fmt::format("{}_{}", metric, workers);
  }

  concurrency::outcome job(std::uint64_t workers) {
    settings options = options_;
    options.workers = workers;
    const auto found =
        result_of_job(options, fmt::format("--tree {} --workers {}", flags_.tree.name, workers),
                      [this] { return concurrency::measure(flags_.tree); });
    if (found.found != flags_.tree.published) ++wrong_searches_;
    return found;
  }

  measurements trial() {
    measurements measured;
    double best = 0;
    double first = 0;
    double last = 0;
    for (const std::uint64_t workers : flags_.workers) {
      const auto found = job(workers);
      last = found.rate();
      if (first == 0) first = last;
      best = std::max(best, last);
      measured.push_back({name("rate", workers), "vertices/s", last});
      measured.push_back({name("latency_mean", workers), "ns", found.latency_mean});
      measured.push_back({name("latency_99_percent", workers), "ns", found.latency_quantile});
      measured.push_back({name("idle_fraction", workers), "", found.idle_fraction});
    }
    measured.push_back({"rate", "vertices/s", best});
    measured.push_back({"rise", "", best / first});
    measured.push_back({"decline", "", last / best});
    return measured;
  }

  void add_table(report& result) const {
    result.line(fmt::format("{:>8} {:>14} {:>16} {:>16} {:>8}", "workers", "vertices/s",
                            "mean latency", "99 % within", "idle"));
    for (const std::uint64_t workers : flags_.workers) {
      const auto of = [&](const std::string& metric) {
        return *result.median(name(metric, workers));
      };
      result.line(fmt::format("{:>8} {:>14} {:>16} {:>16} {:>8}", workers, human_number(of("rate")),
                              human_seconds(1e-9 * of("latency_mean")),
                              human_seconds(1e-9 * of("latency_99_percent")),
                              human_percent(of("idle_fraction"))));
    }
  }

  const flags_of_concurrency& flags_;
  settings options_;
  std::uint64_t wrong_searches_ = 0;
};

constexpr const char* k_concurrency_explanation =
    "\nUTS in memory, searched with so many started tasks on each PE. On one machine there is no\n"
    "latency to hide, so add some with --delay. The rate is that of the best number of workers;\n"
    "rise is it over the first in the list, decline the last one over it.\n\n"
    "  atoll-papers concurrency --delay 100us";

}  // namespace

void add_concurrency(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<flags_of_concurrency>();
  flags->common.trials = 1;
  auto& command = add_command(
      root, context, "concurrency", "Latency hidden by more and more concurrent tasks",
      [&context, flags] { return concurrency_benchmark(*flags, context.settings).run(); });
  add_tree_flag(command, flags->tree);
  // The flag --workers of this command accepts a list of numbers. The usual flag --workers, for the
  // setting `workers`, accepts only one number and is not added.
  add_counts_flag(command, "--workers", flags->workers, 1, 1'000'000, "Started tasks on each PE");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_concurrency_explanation);
}

}  // namespace atl::reproduction
