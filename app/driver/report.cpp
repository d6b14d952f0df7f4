#include "app/driver/report.hpp"

#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace atl::app {
namespace {

// Returns the value of a setting as JSON. Numbers and booleans are written without quotes.
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

// Returns the JSON as text. Names of vertices and files may contain bytes that are not valid UTF-8,
// and the function replaces these bytes.
std::string text_of(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string human_value(const std::string& name, const std::string& unit, double value) {
  if (unit == "s") return human_seconds(value);
  if (unit == "ns") return human_seconds(value * 1e-9);
  if (unit == "B") return human_bytes(value);
  if (unit.empty() && name.starts_with("fraction")) return human_percent(value);
  return unit.empty() ? human_number(value) : human_number(value) + ' ' + unit;
}

constexpr const char* k_right_result = "verified: the result is right\n";

// Returns the name of a metric in the text for people. Examples are "peer alltoallv" for
// "peer:alltoallv", and "rate per core" for "rate_per_core".
std::string human_name(std::string name) {
  std::ranges::replace(name, '_', ' ');
  std::ranges::replace(name, ':', ' ');
  return name;
}

}  // namespace

struct report::free_form {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
  nlohmann::ordered_json sections = nlohmann::ordered_json::object();
};

report::report(std::string name, const settings& options, std::string transport)
    : name_(std::move(name)),
      transport_(transport.empty() ? transport_of(options) : std::move(transport)),
      content_(std::make_unique<free_form>()),
      metrics_file_(options.metrics),
      trace_file_(options.trace) {
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

/// Determines the number of cores that the job uses under a launcher. The affinity of this process
/// does not show the number of cores, because a launcher may bind ranks and use other hosts.
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

// Returns lines that compare the rate of the benchmark with its limit and with the rates of peers
// (programs with other libraries). The rate of a peer (a comparison program) such as
// "peer:fibers_1000" is compared with the benchmark's rate that has the same suffix, "rate_1000".
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

std::string report::text() const { return is_answer_ ? answer_text() : benchmark_text(); }

std::string report::answer_text() const {
  std::string text;
  for (const auto& line : lines_) text += line + '\n';
  if (!verified_) return text;
  return text + (wrong() ? "WRONG RESULT: nothing above counts\n" : k_right_result);
}

std::string report::benchmark_text() const {
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
          : *verified_ ? k_right_result
                       : "WRONG RESULT: no figure counts\n";
  return text;
}

// Moves the cursor to the start of the line and clears the line.
constexpr std::string_view start_of_line = "\r\x1b[K";

progress_line::progress_line() : terminal_(isatty(STDERR_FILENO) == 1) {}

void progress_line::show(std::string_view text) {
  if (!terminal_) return;
  fmt::print(stderr, "{}{}", start_of_line, text);
  shown_ = true;
}

void progress_line::clear() {
  if (shown_) fmt::print(stderr, "{}", start_of_line);
  shown_ = false;
}

}  // namespace atl::app
