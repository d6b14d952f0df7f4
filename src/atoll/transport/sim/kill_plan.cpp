#include "atoll/transport/sim/kill_plan.hpp"

#include "atoll/error.hpp"
#include "atoll/settings.hpp"

namespace atl::transport::sim {

kill_plan kill_plan::parse(std::string_view text, int pes) try {
  if (text.empty()) return {};
  const auto at = text.find('@');
  if (at == text.npos) fail(errc::input, "\"{}\" is not a PE and a time, as in 2@150us", text);
  const std::uint64_t pe = parse_count(text.substr(0, at));
  if (pe >= static_cast<std::uint64_t>(pes))
    fail(errc::input, "the job has no PE {}, only 0 to {}", pe, pes - 1);
  return {static_cast<int>(pe), parse_duration(text.substr(at + 1))};
} catch (const error& wrong) {
  fail(wrong.code(), "sim-kill: {}", wrong.what());
}

}  // namespace atl::transport::sim
