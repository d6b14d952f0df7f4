// The result as a person reads it.

#include "app/report.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace atl::app {
namespace {

std::string human_value(const std::string& name, const std::string& unit, double value) {
  if (unit == "s") return human_seconds(value);
  if (unit == "ns") return human_seconds(value * 1e-9);
  if (unit == "B") return human_bytes(value);
  if (unit.empty() && name.starts_with("fraction")) return human_percent(value);
  return unit.empty() ? human_number(value) : human_number(value) + ' ' + unit;
}

// "peer:alltoallv" is "peer alltoallv" on the screen, "rate_per_core" is "rate per core".
std::string human_name(std::string name) {
  std::ranges::replace(name, '_', ' ');
  std::ranges::replace(name, ':', ' ');
  return name;
}

}  // namespace

// A peer stands beside the rate whose name has the same end: "peer:fibers_1000" beside "rate_1000".
std::string report::comparison_text() const {
  std::string text;
  if (const auto fraction = median("fraction_of_limit"))
    text += fmt::format("{} of the limit of this machine\n", human_percent(*fraction));
  for (const auto& [name, unit, values] : figures()) {
    const auto end = name.substr(std::min(name.find('_'), name.size()));
    const auto rate = median("rate" + end);
    if (name.starts_with("peer:") && rate)
      text += fmt::format("{} times the rate of {}\n", human_number(*rate / *median(name)),
                          human_name(name));
  }
  return text;
}

std::string report::text() const {
  std::string text =
      fmt::format("{}: {} PE{} on {} core{} of {}, {}\n", name_, pes_, pes_ == 1 ? "" : "s", cores_,
                  cores_ == 1 ? "" : "s", cpu_, transport_);
  text += parameters_text() + "\n\n";
  std::size_t width = 22;
  for (const auto& [name, unit, values] : figures()) width = std::max(width, name.size());
  for (const auto& [name, unit, values] : figures()) {
    const auto [least, most] = std::ranges::minmax(values);
    text += fmt::format("{:<{}} {:<20}", human_name(name), width,
                        human_value(name, unit, *median(name)));
    if (values.size() > 1)
      text +=
          fmt::format(" ({} to {})", human_value(name, unit, least), human_value(name, unit, most));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  if (!lines_.empty()) text += '\n';
  for (const auto& line : lines_) text += line + '\n';
  text += '\n';
  if (!wrong()) text += comparison_text();
  text += !verified_   ? "not verified (--verify checks the result)\n"
          : *verified_ ? "verified: the result is right\n"
                       : "WRONG RESULT: no figure counts\n";
  return text;
}

}  // namespace atl::app
