#include "atoll/log.hpp"

#include "atoll/base/pe.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace atl::log {
namespace {

// Prints "PE 3: " before a message of PE 3 if the job has several PEs.
class pe_prefix final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg&, const std::tm&,
              spdlog::memory_buf_t& destination) override {
    if (current_pe == nullptr || current_pe->size == 1) return;
    fmt::format_to(fmt::appender(destination), "PE {}: ", current_pe->rank);
  }

  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<pe_prefix>();
  }
};

spdlog::logger& logger() {
  // The logger is never destroyed, because other destructors and PEs that end by _exit may still
  // use it.
  static spdlog::logger& instance = *[] {
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<pe_prefix>('*').set_pattern("atoll: %*%l: %v");
    auto* result = new spdlog::logger("atoll", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    result->set_formatter(std::move(formatter));
    result->set_level(spdlog::level::warn);
    return result;
  }();
  return instance;
}

spdlog::level::level_enum to_spdlog(log_level level) {
  return static_cast<spdlog::level::level_enum>(level);
}
static_assert(int(log_level::trace) == SPDLOG_LEVEL_TRACE);
static_assert(int(log_level::error) == SPDLOG_LEVEL_ERROR);

}  // namespace

void set_level(log_level level) { logger().set_level(to_spdlog(level)); }

bool enabled(log_level level) { return logger().should_log(to_spdlog(level)); }

void write(log_level level, std::string_view text) {
  // The sinks are called directly, because the logger would drop a message whose level is not
  // enabled.
  for (const auto& sink : logger().sinks())
    sink->log({logger().name(), to_spdlog(level), spdlog::string_view_t(text.data(), text.size())});
}

}  // namespace atl::log
