#pragma once
// The result of a kernel or benchmark: a screen a person likes to read, and JSON.

#include "atoll/base/namespace.hpp"
#include "atoll/base/settings.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace atoll::transport {
struct launch;
}

namespace atoll::app {

/// One number of one trial. `unit` is "updates/s", "s", "B", "ns"; "" for ratios and plain counts.
/// Names mean the same in all commands: rate, rate_per_core, seconds, limit, fraction_of_limit,
/// peer:NAME, bytes_peak; others are spelled out with their unit (nanoseconds_per_switch).
struct measurement {
  measurement(std::string name, std::string unit, double value)
      : name(std::move(name)), unit(std::move(unit)), value(value) {}

  std::string name;
  std::string unit;
  double value;
};
using measurements = std::vector<measurement>;

/// Lives in the process of PE 0, outside of jobs.
class report {
 public:
  /// Begins with the parameters every result has: PEs, seed, aggregation, and every setting that
  /// was given. Looks at the processor, which takes milliseconds. `transport` is what the settings
  /// say unless given.
  report(std::string name, const settings& options, std::string transport = "");

  std::uint64_t pes() const { return pes_; }

  /// Cores the job can keep busy: the smaller of PEs and physical cores. A simulated PE has a core
  /// of its own.
  std::uint64_t busy_cores() const;

  /// Seconds are those of a simulation, which no state of the machine changes.
  bool virtual_time() const { return transport_ == "sim"; }

  void parameter(const std::string& name, nlohmann::ordered_json value);

  /// One more value of a metric. All values of a metric have one unit.
  void add(const measurement& value);
  void add(const measurements& trial);

  /// The last value of a metric, and the median of all; nothing before the first.
  std::optional<double> last(const std::string& metric) const;
  std::optional<double> median(const std::string& metric) const;

  /// The outcome of a check; one wrong result among several makes the whole wrong.
  void verified(bool right);
  bool wrong() const { return verified_.has_value() && !*verified_; }

  /// A line of its own for people, such as a finding of this kernel.
  void line(std::string text) { lines_.push_back(std::move(text)); }

  /// A free-form part of the JSON beside parameters and metrics, such as "bytes_per_pe".
  nlohmann::ordered_json& section(const std::string& name) { return sections_[name]; }

  nlohmann::ordered_json json() const;
  std::string text() const;

 private:
  struct metric {
    std::string name;
    std::string unit;
    std::vector<double> values;
  };

  const metric* find(const std::string& name) const;
  std::string comparison_text() const;
  void look_at_launch(const transport::launch& started_by);

  std::string name_;
  std::string transport_;
  std::string cpu_;
  std::uint64_t cores_ = 1;
  std::uint64_t pes_ = 1;
  nlohmann::ordered_json parameters_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json sections_ = nlohmann::ordered_json::object();
  std::vector<metric> metrics_;
  std::vector<std::string> lines_;
  std::optional<bool> verified_;
};

}  // namespace atoll::app
