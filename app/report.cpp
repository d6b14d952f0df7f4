#include "app/report.hpp"

#include "atoll/error.hpp"
#include "atoll/job/pinning.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace atl::app {
namespace {

// A value as JSON has it: numbers and booleans as such.
nlohmann::ordered_json as_json(const setting_description& row, const std::string& value) {
  if (value == row.default_value && row.kind != "on_off" && row.name != "seed") return value;
  if (row.kind == "count") return parse_count(value);
  if (row.kind == "size") return parse_size(value);
  if (row.kind == "on_off") return value == "on";
  return value;
}

nlohmann::ordered_json as_json(const plain_value& value) {
  return std::visit([](const auto& known) { return nlohmann::ordered_json(known); }, value);
}

nlohmann::ordered_json as_json(const named_values& values) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : values) object[name] = as_json(value);
  return object;
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string transport_of(const settings& options) {
  return options.transport == transport_kind::sim ? "sim" : "shm";
}

// Names of vertices and files may hold bytes that are no UTF-8, which JSON has no place for.
std::string text_of(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

struct report::free_form {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
  nlohmann::ordered_json sections = nlohmann::ordered_json::object();
};

report::report(std::string name, const settings& options, std::string transport)
    : name_(std::move(name)),
      transport_(transport.empty() ? transport_of(options) : std::move(transport)),
      content_(std::make_unique<free_form>()) {
  const auto machine = read_topology();
  cpu_ = machine.cpu_model;
  cores_ = machine.cores;
  pes_ = static_cast<std::uint64_t>(job::number_of_pes(options));
  if (job::chosen_transport(options) == transport_kind::mpi)
    look_at_launch(job::present_launch().value());
  content_->parameters["pes"] = pes_;
  for (const auto& row : settings_table()) {
    const bool always = row.name == "seed" || row.name == "aggregation";
    const bool given = options.origin(row.name) != "default";
    if (row.name != "pes" && (always || given))
      content_->parameters[std::string(row.name)] = as_json(row, options.value(row.name));
  }
}

report::report(report&& from) noexcept = default;
report::~report() = default;

/// The launcher may keep each rank on a core of its own, and start some on other hosts.
void report::look_at_launch(const job::launch& started_by) {
  transport_ = "mpi";
  const auto ranks = static_cast<std::uint64_t>(std::max(1, started_by.ranks));
  const auto here = static_cast<std::uint64_t>(started_by.ranks_of_host);
  const auto of_host = static_cast<std::uint64_t>(sysconf(_SC_NPROCESSORS_ONLN));
  cores_ = here == 0 ? ranks : std::max<std::uint64_t>(1, ranks * of_host / here);
}

std::uint64_t report::busy_cores() const { return virtual_time() ? pes_ : std::min(pes_, cores_); }

void report::parameter(const std::string& name, const plain_value& value) {
  content_->parameters[name] = as_json(value);
}

void report::section(const std::string& name, const plain_value& value) {
  section(name) = as_json(value);
}

void report::section(const std::string& name, const named_values& values) {
  section(name) = as_json(values);
}

void report::add_to_section(const std::string& name, const named_values& values) {
  section(name).push_back(as_json(values));
}

nlohmann::ordered_json& report::section(const std::string& name) {
  return content_->sections[name];
}

const report::metric* report::find(const std::string& name) const {
  const auto found = std::ranges::find(metrics_, name, &metric::name);
  return found == metrics_.end() ? nullptr : &*found;
}

void report::add(const measurement& value) {
  auto found = std::ranges::find(metrics_, value.name, &metric::name);
  if (found == metrics_.end()) found = metrics_.insert(found, metric{value.name, value.unit, {}});
  if (found->unit != value.unit)
    fail(errc::internal, "the metric {} is measured in {} and in {}", value.name, found->unit,
         value.unit);
  found->values.push_back(value.value);
}

void report::add(const measurements& trial) {
  for (const auto& value : trial) add(value);
}

std::optional<double> report::last(const std::string& metric) const {
  const auto* found = find(metric);
  return found == nullptr ? std::nullopt : std::optional(found->values.back());
}

std::optional<double> report::median(const std::string& metric) const {
  const auto* found = find(metric);
  return found == nullptr ? std::nullopt : std::optional(middle(found->values));
}

std::span<const report::metric> report::figures() const {
  return wrong() ? std::span<const metric>() : metrics_;
}

void report::line(std::string text) { lines_.push_back(std::move(text)); }

void report::verified(bool right) { verified_ = verified_.value_or(true) && right; }

nlohmann::ordered_json report::json() const {
  nlohmann::ordered_json result;
  result["name"] = name_;
  result["parameters"] = content_->parameters;
  result["verified"] = nullptr;
  if (verified_) result["verified"] = *verified_;
  result["metrics"] = nlohmann::ordered_json::object();
  for (const auto& [name, unit, values] : figures())
    result["metrics"][name] = {{"unit", unit}, {"values", values}, {"median", middle(values)}};
  result["host"] = {{"cpu", cpu_}, {"cores", cores_}, {"transport", transport_}};
  result["version"] = ATOLL_VERSION;
  for (const auto& [name, content] : content_->sections.items()) result[name] = content;
  return result;
}

std::string report::json_text() const { return text_of(json(), 2) + '\n'; }

std::string report::parameters_text() const {
  std::string text;
  for (const auto& [name, value] : content_->parameters.items()) {
    if (name == "pes") continue;
    const auto shown = value.is_string() ? value.get<std::string>() : text_of(value, -1);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, shown);
  }
  return text;
}

}  // namespace atl::app
