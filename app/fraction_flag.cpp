#include "app/fraction_flag.hpp"

#include "atoll/base/error.hpp"

#include <exception>
#include <fmt/format.h>

namespace atl::app {

double parse_fraction(const std::string& flag, const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size()) fail(errc::input, "{}: \"{}\" is not a number", flag, text);
  if (!(value >= 0 && value <= 1)) fail(errc::input, "{}: {} is out of range (0 to 1)", flag, text);
  return value;
}

flag add_fraction_flag(CLI::App& command, const std::string& name, double& value,
                       const std::string& help) {
  const auto take = [&value, name](const std::string& text) { value = parse_fraction(name, text); };
  return add_checked_flag(command, name, "X", take, help).with_default(fmt::format("{}", value));
}

}  // namespace atl::app
