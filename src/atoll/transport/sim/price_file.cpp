#include "atoll/transport/sim/price_file.hpp"

#include "atoll/error.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace atl::transport::sim {
namespace {

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
} catch (const nlohmann::json::exception& wrong) {  // says line and column
  fail(errc::input, "{}: {}", file, wrong.what());
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> read_price_file(const std::string& file) {
  const nlohmann::json content = parsed(file);
  if (!content.is_object() || !content.contains("prices") || !content["prices"].is_object())
    fail(errc::input, "{}: there is no object \"prices\"", file);
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const auto& [name, value] : content["prices"].items())
    found.emplace_back(name, value_of(file, name, value));
  return found;
}

}  // namespace atl::transport::sim
