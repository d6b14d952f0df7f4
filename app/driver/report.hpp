#pragma once
// The result of a kernel or benchmark: a screen a person likes to read, and JSON.

#include "atoll/settings.hpp"

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace atl::job {
struct launch;
}

namespace atl::app {

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

/// What most parts of the JSON are. Refers to texts and lists, so for the length of a call only.
using plain_value = std::variant<bool, std::uint64_t, double, std::string_view,
                                 std::span<const std::uint64_t>, std::span<const std::string>>;
using named_values = std::vector<std::pair<std::string, plain_value>>;

/// Lives in the process of PE 0, outside of jobs.
class report {
 public:
  /// Begins with the parameters every result has: PEs, seed, aggregation, and every setting that
  /// was given. Looks at the processor, which takes milliseconds. `transport` is what the settings
  /// say unless given.
  report(std::string name, const settings& options, std::string transport = "");
  report(report&& from) noexcept;
  ~report();

  std::uint64_t pes() const { return pes_; }

  /// Cores the job can keep busy: the smaller of PEs and physical cores. A simulated PE has a core
  /// of its own.
  std::uint64_t busy_cores() const;

  /// Seconds are those of a simulation, which no state of the machine changes.
  bool virtual_time() const { return transport_ == "sim"; }

  /// What the runtime writes beside the result, by --metrics and --trace; "" where it does not.
  const std::string& metrics_file() const { return metrics_file_; }
  const std::string& trace_file() const { return trace_file_; }

  void parameter(const std::string& name, const plain_value& value);

  /// One more value of a metric. All values of a metric have one unit.
  void add(const measurement& value);
  void add(const measurements& trial);

  /// The last value of a metric, and the median of all; nothing before the first.
  std::optional<double> last(const std::string& metric) const;
  std::optional<double> median(const std::string& metric) const;

  /// The outcome of a check; one wrong result among several makes the whole wrong. A wrong result
  /// has no figures, neither in text nor in JSON.
  void verified(bool right);
  bool wrong() const { return verified_.has_value() && !*verified_; }

  /// People read what was found: the lines alone, and whether they were verified.
  void becomes_answer() { is_answer_ = true; }
  bool is_answer() const { return is_answer_; }

  /// A line of its own for people, such as a finding of this kernel.
  void line(std::string text);

  /// A part of the JSON beside parameters and metrics, such as "bytes_per_pe".
  void section(const std::string& name, const plain_value& value);
  void section(const std::string& name, const named_values& values);

  /// Appends to a section that is a list.
  void add_to_section(const std::string& name, const named_values& values);

  /// The same, free-form.
  nlohmann::ordered_json& section(const std::string& name);

  nlohmann::ordered_json json() const;

  /// The JSON as a file holds it, bytes that are no UTF-8 being replaced.
  std::string json_text() const;

  std::string text() const;

 private:
  struct metric {
    std::string name;
    std::string unit;
    std::vector<double> values;
  };

  struct free_form;

  const metric* find(const std::string& name) const;
  std::span<const metric> figures() const;
  std::string parameters_text() const;
  std::string comparison_text() const;
  std::string benchmark_text() const;
  std::string answer_text() const;
  void look_at_launch(const job::launch& started_by);

  std::string name_;
  std::string transport_;
  std::string cpu_;
  std::uint64_t cores_ = 1;
  std::uint64_t pes_ = 1;
  std::unique_ptr<free_form> content_;
  std::vector<metric> metrics_;
  std::string metrics_file_;
  std::string trace_file_;
  std::vector<std::string> lines_;
  std::optional<bool> verified_;
  bool is_answer_ = false;
};

}  // namespace atl::app
