#pragma once
// Holds the result of a kernel or benchmark and writes it as text for people and as JSON.

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

/// One number of one trial. `unit` is "updates/s", "s", "B" or "ns", or "" for ratios and counts.
/// All commands share the names rate, rate_per_core, seconds, limit, fraction_of_limit, peer:NAME
/// and bytes_peak. Other names contain their unit (nanoseconds_per_switch).
struct measurement {
  measurement(std::string name, std::string unit, double value)
      : name(std::move(name)), unit(std::move(unit)), value(value) {}

  std::string name;
  std::string unit;
  double value;
};
using measurements = std::vector<measurement>;

/// A value of most parts of the JSON. Texts and lists are only referred to, so the value is valid
/// during one call.
using plain_value = std::variant<bool, std::uint64_t, double, std::string_view,
                                 std::span<const std::uint64_t>, std::span<const std::string>>;
using named_values = std::vector<std::pair<std::string, plain_value>>;

/// The result of a command. The object belongs to the process of PE 0, outside of jobs.
class report {
 public:
  /// Starts a report with the parameters of every result: PEs, seed, aggregation, and each setting
  /// that was given. Reads the properties of the processor, which takes milliseconds. `transport`
  /// defaults to that of the settings.
  report(std::string name, const settings& options, std::string transport = "");
  report(report&& from) noexcept;
  ~report();

  std::uint64_t pes() const { return pes_; }

  /// Returns the number of cores that the job can keep busy: the smaller of PEs and physical cores.
  /// Each simulated PE counts as a core.
  std::uint64_t busy_cores() const;

  /// Returns whether seconds are simulated, and so independent of the state of the machine.
  bool virtual_time() const { return transport_ == "sim"; }

  /// Returns the file of --metrics, which the runtime writes; "" if not given. `trace_file` does
  /// the same for --trace.
  const std::string& metrics_file() const { return metrics_file_; }
  const std::string& trace_file() const { return trace_file_; }

  void parameter(const std::string& name, const plain_value& value);

  /// Adds one more value to a metric. All values of a metric have the same unit.
  void add(const measurement& value);
  void add(const measurements& trial);

  /// Returns the last value of a metric; nothing if there is none. `median` returns the median of
  /// all values.
  std::optional<double> last(const std::string& metric) const;
  std::optional<double> median(const std::string& metric) const;

  /// Adds the outcome of a check; one wrong outcome makes the whole result wrong. A wrong result
  /// shows no figures, neither in text nor in JSON.
  void verified(bool right);
  bool wrong() const { return verified_.has_value() && !*verified_; }

  /// Makes the text an answer: only the lines, and whether they were verified.
  void becomes_answer() { is_answer_ = true; }
  bool is_answer() const { return is_answer_; }

  /// Adds a line to the text for people, such as a finding of the kernel.
  void line(std::string text);

  /// Adds a section to the JSON beside parameters and metrics, such as "bytes_per_pe".
  void section(const std::string& name, const plain_value& value);
  void section(const std::string& name, const named_values& values);

  /// Appends an entry to a section that is a list.
  void add_to_section(const std::string& name, const named_values& values);

  /// Returns a section of the JSON, for values of any form.
  nlohmann::ordered_json& section(const std::string& name);

  nlohmann::ordered_json json() const;

  /// Returns the JSON as text for a file. Bytes that are not UTF-8 are replaced.
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
