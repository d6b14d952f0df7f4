#include "atoll/transport/sim/cluster.hpp"

#include "atoll/error.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace atl::transport::sim {
namespace {

/// Maximum value of a parameter. The maximum is so small that sums of parameters cannot overflow.
/// For times in picoseconds, the maximum is one second.
constexpr double highest_parameter = 1e12;

std::int64_t value_of(const std::string& file, const std::string& name,
                      const nlohmann::json& value) {
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= highest_parameter))
    fail(errc::input, "{}: {}: {} is no number between 0 and {:g}", file, name, value.dump(),
         highest_parameter);
  return std::llround(value.get<double>());
}

nlohmann::json parsed(const std::string& file) try {
  std::ifstream in(file);
  if (!in) fail(errc::input, "cannot open {}: {}", file, std::strerror(errno));
  return nlohmann::json::parse(in);
} catch (const nlohmann::json::exception& wrong) {  // the text names the line
  fail(errc::input, "{}: {}", file, wrong.what());
}

/// Reads parameters of the model from a JSON file, and returns the parameters sorted by name. In
/// the file, the object "prices" contains names of parameters of model.def and their values, in the
/// units of model.def. Other parts of the file describe how the values were measured, and are
/// ignored. Throws `error` (input) if the file is wrong. If the file is not JSON, the error names
/// line and column.
std::vector<std::pair<std::string, std::int64_t>> read_price_file(const std::string& file) {
  const nlohmann::json content = parsed(file);
  if (!content.is_object() || !content.contains("prices") || !content["prices"].is_object())
    fail(errc::input, "{}: there is no object \"prices\"", file);
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const auto& [name, value] : content["prices"].items())
    found.emplace_back(name, value_of(file, name, value));
  return found;
}

using parameters = std::map<std::string, std::int64_t*, std::less<>>;

model named(sim_model which) {
  model all;
  const std::size_t is_modern = which == sim_model::modern ? 1 : 0;
#define ATOLL_NETWORK(name, papers, modern, unit, meaning, source)                                 \
  all.name = std::array<std::int64_t, 2>{papers, modern}[is_modern];
#define ATOLL_MEMORY ATOLL_NETWORK
#define ATOLL_PRICE(name, cost, lines, bytes, meaning, source)                                     \
  all.prices.push_back({&observe::counters::name, cost, lines, bytes});
#include "atoll/transport/sim/model.def"
#undef ATOLL_PRICE
#undef ATOLL_MEMORY
#undef ATOLL_NETWORK
  return all;
}

// Returns a map from names to the parameters of the model `all`. A counter whose cost consists only
// of cache lines has no parameter, because its cost follows from the cost of a line.
parameters by_name(model& all) {
  parameters found;
  auto price = all.prices.begin();
#define ATOLL_NETWORK(name, papers, modern, unit, meaning, source) found[#name] = &all.name;
#define ATOLL_MEMORY ATOLL_NETWORK
#define ATOLL_PRICE(name, ...)                                                                     \
  if (price->each != 0) found[#name] = &price->each;                                               \
  ++price;
#include "atoll/transport/sim/model.def"
#undef ATOLL_PRICE
#undef ATOLL_MEMORY
#undef ATOLL_NETWORK
  return found;
}

double factor_from(std::string_view text) {
  double factor = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (wrong != std::errc() || end != text.data() + text.size() || !(factor >= 0 && factor <= 1e6))
    fail(errc::input, "\"{}\" is no factor between 0 and 1000000", text);
  return factor;
}

std::string names_of(const parameters& all) {
  std::string names;
  for (const auto& [name, value] : all) names += (names.empty() ? "" : ", ") + name;
  return names;
}

/// Multiplies one parameter by a factor. The parameter `text` contains the name and the factor, as
/// in "latency=2".
void vary(const parameters& all, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos)
    fail(errc::input, "\"{}\" is no parameter and factor, as in latency=2", text);
  const auto found = all.find(text.substr(0, equals));
  if (found == all.end())
    fail(errc::input, "the model has no parameter {}, only {}", text.substr(0, equals),
         names_of(all));
  const double value = factor_from(text.substr(equals + 1)) * static_cast<double>(*found->second);
  if (value > highest_parameter)
    fail(errc::input, "{} makes {:g}, more than {:g}", text, value, highest_parameter);
  *found->second = std::llround(value);
}

void vary_as(const parameters& all, std::string_view factors) try {
  while (!factors.empty()) {
    const auto comma = std::min(factors.find(','), factors.size());
    vary(all, factors.substr(0, comma));
    factors.remove_prefix(std::min(factors.size(), comma + 1));
  }
} catch (const error& wrong) {
  fail(wrong.code(), "sim-vary: {}", wrong.what());
}

void take_prices(const parameters& all, const std::string& file) try {
  for (const auto& [name, value] : read_price_file(file)) {
    const auto found = all.find(name);
    if (found == all.end())
      fail(errc::input, "{}: the model has no parameter {}, only {}", file, name, names_of(all));
    *found->second = value;
  }
} catch (const error& wrong) {
  fail(wrong.code(), "sim-prices: {}", wrong.what());
}

}  // namespace

model model::of(const settings& options) {
  model all = named(options.sim_model);
  const parameters known = by_name(all);
  if (!options.sim_prices.empty()) take_prices(known, options.sim_prices);
  vary_as(known, options.sim_vary);
  return all;
}

}  // namespace atl::transport::sim
