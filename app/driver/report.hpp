#pragma once
// Holds the result of a kernel or benchmark, and writes it as text for people and as JSON. The
// class `progress_line` shows the progress of a long step.

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

/// One number that a trial has measured. `unit` is "updates/s", "s", "B" or "ns"; it is empty for
/// ratios and counts. All commands use the names rate, rate_per_core, seconds, limit,
/// fraction_of_limit, peer:NAME and bytes_peak. A metric that only some commands have gets a name
/// of its own, such as nanoseconds_per_switch.
struct measurement {
  measurement(std::string name, std::string unit, double value)
      : name(std::move(name)), unit(std::move(unit)), value(value) {}

  std::string name;
  std::string unit;
  double value;
};
using measurements = std::vector<measurement>;

/// A value in the JSON. The variant holds texts and lists as views, so it does not own their
/// content. Do not keep the value after the call that receives it.
using plain_value = std::variant<bool, std::uint64_t, double, std::string_view,
                                 std::span<const std::uint64_t>, std::span<const std::string>>;
using named_values = std::vector<std::pair<std::string, plain_value>>;

/// The result of a command. The object belongs to the process of PE 0, and is used outside of jobs.
class report {
 public:
  /// Starts a report with the parameters that every result has: PEs, seed, aggregation, and each
  /// setting that the user gave. By default, `transport` is the transport of the settings. Reads
  /// the properties of the processor, which takes milliseconds.
  report(std::string name, const settings& options, std::string transport = "");
  report(report&& from) noexcept;
  ~report();

  std::uint64_t pes() const { return pes_; }

  /// Returns the number of cores that the job can keep busy: the smaller of the numbers of PEs and
  /// of physical cores. Each simulated PE counts as a core.
  std::uint64_t busy_cores() const;

  /// Returns whether the job is simulated, so that its times are virtual. Simulated times do not
  /// depend on the load of the machine.
  bool virtual_time() const { return transport_ == "sim"; }

  /// Returns the path of the file that the runtime writes for --metrics, or an empty text if the
  /// flag was not given. `trace_file` returns the path of the file of --trace.
  const std::string& metrics_file() const { return metrics_file_; }
  const std::string& trace_file() const { return trace_file_; }

  void parameter(const std::string& name, const plain_value& value);

  /// Adds one more value of a metric. All values of a metric must have the same unit.
  void add(const measurement& value);
  void add(const measurements& trial);

  /// Returns the last value of a metric, or nothing if there is no value. `median` returns the
  /// median of all values.
  std::optional<double> last(const std::string& metric) const;
  std::optional<double> median(const std::string& metric) const;

  /// Adds the outcome of a check. If one outcome is wrong, the whole result is wrong. A wrong
  /// result shows no numbers, neither in the text nor in the JSON.
  void verified(bool right);
  bool wrong() const { return verified_.has_value() && !*verified_; }

  /// After this call, the text for people consists of the lines added by `line`, and of the outcome
  /// of checks.
  void becomes_answer() { is_answer_ = true; }
  bool is_answer() const { return is_answer_; }

  /// Adds a line to the text for people, for example a finding of the kernel.
  void line(std::string text);

  /// Adds a section to the JSON, such as "bytes_per_pe". In the JSON, a section has the same level
  /// as the parameters and the metrics.
  void section(const std::string& name, const plain_value& value);
  void section(const std::string& name, const named_values& values);

  /// Appends an entry to a section that is a list.
  void add_to_section(const std::string& name, const named_values& values);

  /// Returns a section of the JSON, to which the caller may add any values.
  nlohmann::ordered_json& section(const std::string& name);

  nlohmann::ordered_json json() const;

  /// Returns the JSON as text for a file. Bytes that are not valid UTF-8 are replaced.
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

/// A line on the terminal that shows the progress of a long step. If standard error is a pipe or a
/// file, nothing is written. The destructor clears the line.
class progress_line {
 public:
  progress_line();
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Replaces the text of the line, on standard error.
  void show(std::string_view text);

  /// Removes the line. The caller must call `clear` before other output to the terminal.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace atl::app
