// Implements `atoll bench messages`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "bench/message_stages.hpp"

#include <memory>

namespace atl::app {
namespace {

namespace messages = bench::messages;

struct flags_of_messages {
  benchmark_flags common;
  messages::parameters chosen;
  std::uint64_t cold_bytes = messages::k_cold_bytes;
};

class message_benchmark {
 public:
  message_benchmark(const flags_of_messages& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes == 0) options_.pes = 2;
  }

  int run() {
    report result("messages", options_);
    cores_ = static_cast<double>(result.busy_cores());
    if (options_.aggregation)
      check_memory();
    else
      result.line("stages are measured with --aggregation on only");
    result.parameter("messages", flags_.chosen.messages);
    result.parameter("round_trips", flags_.chosen.round_trips);
    result.parameter("tasks", flags_.chosen.tasks);
    result.parameter("cold_size", flags_.cold_bytes);
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(errors_ == 0);
    return publish(result, flags_.common);
  }

 private:
  void check_memory() const {
    const std::uint64_t needed = options_.pes * messages::memory_for_stages();
    const std::uint64_t free = read_memory_status().free();
    if (needed > free)
      fail(errc::out_of_memory, "--pes: the buffers of {} PEs need {}, and {} are free",
           options_.pes, human_bytes(double(needed)), human_bytes(double(free)));
  }

  measurement per_core(const std::string& name, const messages::phase& phase,
                       const std::string& unit = "messages/s") const {
    return {name, unit, phase.rate() / cores_};
  }

  measurements trial() {
    auto chosen = flags_.chosen;
    chosen.seed = options_.seed;
    const auto whole = result_of_job(options_, fmt::format("--tasks {}", chosen.tasks),
                                     [chosen] { return messages::measure(chosen); });
    errors_ += whole.errors;
    measurements measured = {{"rate", "messages/s", whole.one_kind.rate()},
                             per_core("rate_per_core", whole.one_kind),
                             per_core("rate_mixed_per_core", whole.four_kinds)};
    if (options_.aggregation) add_stages(measured);
    measured.push_back(per_core("blocking", whole.blocking, "round trips/s"));
    return measured;
  }

  void add_stages(measurements& measured) {
    const auto stages =
        result_of_job(messages::settings_for_stages(options_),
                      fmt::format("--cold-size {}", human_bytes(double(flags_.cold_bytes))),
                      [bytes = flags_.cold_bytes] { return messages::measure_stages(bytes); });
    errors_ += stages.errors;
    measured.push_back(per_core("create_enqueue", stages.create));
    measured.push_back(per_core("serialize", stages.hand_over));
    measured.push_back(per_core("deliver", stages.deliver));
  }

  const flags_of_messages& flags_;
  settings options_;
  double cores_ = 1;
  std::uint64_t errors_ = 0;
};

constexpr const char* k_messages_explanation =
    "\nPEs send each other messages of 16 bytes, all at the same time, and add up what they "
    "receive;\n"
    "wrong sums are exit status 1. All figures but rate are per core and second:\n"
    "  rate_per_core        messages of one kind: created, sent, executed\n"
    "  rate_mixed_per_core  four kinds, drawn at random\n"
    "  create_enqueue       creating messages in empty buffers, nothing else\n"
    "  serialize            closing full buffers and handing them over, per message\n"
    "  deliver              executing messages from cold buffers (--cold-size on each PE)\n"
    "  blocking             round trips: --tasks tasks of each PE read words of the other\n"
    "The three stages are measured with buffers of 64 KiB, 1024 a pair of PEs.";

}  // namespace

void add_messages(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_messages>();
  auto& command =
      add_command(bench, context, "messages", "Rate of small messages, whole and stage by stage",
                  [&context, flags] { return message_benchmark(*flags, context.settings).run(); });
  auto& chosen = flags->chosen;
  add_count_flag(command, "--messages", chosen.messages, 1, 1'000'000'000'000,
                 "Messages each PE sends of one kind, and again of four");
  add_count_flag(command, "--round-trips", chosen.round_trips, 1, 1'000'000'000'000,
                 "Round trips each PE makes");
  add_count_flag(command, "--tasks", chosen.tasks, 1, 10'000'000,
                 "Tasks of each PE that make round trips");
  add_size_flag(command, "--cold-size", flags->cold_bytes, 1 << 10, messages::k_cold_bytes,
                "Messages delivered from cold buffers");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_messages_explanation);
}

}  // namespace atl::app
