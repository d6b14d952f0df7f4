// Implements `atoll bench copies`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/copies.hpp"

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
  // Checks that memory suffices before PEs are started. If no memory limit is set, private memory
  // of a PE is never refused later.
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

}  // namespace atl::app
