#pragma once
// Defines the command of `atoll sort` and `atoll bench sort`. A program that sends keys to their
// PEs in another way derives its command from the class `sort_command`.

#include "app/driver/kernel_command.hpp"
#include "atoll/random.hpp"
#include "atoll/sort.hpp"
#include "bench/integer_sort.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// The types below hold the flags of the command, and the results that it shows.

struct sort_flags {
  benchmark_flags common;
  std::string file;  ///< file with keys; "" for none
  /// If `file` is a pipe or an input such as /dev/stdin, path of a file with the same content;
  /// otherwise "".
  std::string content;
  /// NAS class that --class names, or the default class if there is no other input.
  const atl::nas_class* nas = nullptr;
  std::uint64_t keys = 0;  ///< number of random keys; 0 for none
  std::uint64_t bits = 0;  ///< number of bits of a random key; 0: the default
  std::uint64_t seed = 1;  ///< seed of the random keys
  std::string output;      ///< file to which the sorted keys are written; "" for none

  bool of_file() const { return !file.empty(); }
  bool random() const { return keys != 0; }
};

struct sort_findings {
  using outcome = bench::integer_sort::outcome;

  std::uint64_t keys = 0;
  unsigned bits = 0;            ///< number of bits of the largest key
  double read_seconds = 0;      ///< time in seconds to read the file
  std::vector<outcome> trials;  ///< results of the timed trials
  /// Result of another sort, which --compare ran after the last trial.
  std::optional<outcome> otherwise;
  std::string wrong;  ///< first error that --verify found; "" for none
  /// Peak memory of all processes in bytes, as the system counts it.
  std::uint64_t bytes_peak = 0;

  /// Returns whether the tested keys had the ranks that NAS publishes, in all trials.
  bool passed() const;
  bool right() const { return passed() && wrong.empty(); }
};

// ---- The command.

class sort_command : public kernel_command {
 public:
  sort_command(sort_flags& flags, const settings& options);

 protected:
  using outcome = sort_findings::outcome;
  using nas_class = atl::nas_class;

  /// Returns the name of the method by which PEs exchange keys, such as "collective".
  virtual std::string_view exchange() const { return "collective"; }

  /// Returns whether keys for another node are collected in contiguous memory before they are sent.
  virtual bool stages_keys() const { return true; }

  /// Runs the NAS benchmark IS of the class `of` once. If the class `of` has 0 bits per key, the
  /// keys are not NAS keys, and the function only sorts the keys.
  virtual task<outcome> sort_once(global_keys keys, const nas_class& of);

  /// Measures the other sorts that --compare requests, in the job in which this command has sorted
  /// the keys. `own` is the outcome of the sort that the trial has measured first. Returns the
  /// outcome of the last sort that ran for --compare, or nothing if no sort ran for --compare. Each
  /// sort that runs for --compare overwrites the sorted keys of the previous sort.
  virtual task<std::optional<outcome>> compare(global_keys keys, const nas_class& of,
                                               const outcome& own, measurements& measured);

 private:
  void complete(sort_flags& flags) const;

  void check_before_start() override;
  void add_parameters() override;
  std::vector<used_file> inputs() const override { return {{"keys", flags_.file}}; }
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  std::string_view doing() const override { return "sorting"; }
  bool right() const override { return findings_.right(); }
  void describe() override;
  task<> main() override;

  void check_memory(std::uint64_t keys, unsigned bits, std::uint64_t held = 0) const;
  task<global_keys> read_file();
  task<global_keys> make_input();
  task<measurements> trial(global_keys keys);
  task<> compare_with_others(global_keys keys, const outcome& own, measurements& measured);
  task<> verify_order(global_keys keys);

  /// Returns the NAS class of the keys, or a class of 0 bits if the keys are not NAS keys.
  nas_class class_of_keys() const { return flags_.nas != nullptr ? *flags_.nas : nas_class{}; }

  const sort_flags& flags_;
  result_output output_;
  sort_findings findings_;
};

/// Adds all flags of the command. If `flags.common.measures` is true, the command is the benchmark
/// with several timed trials. If `flags.common.measures` is false, the command sorts once and shows
/// the result. `flags` must live as long as the command.
void add_sort_flags(CLI::App& command, command_context& context, sort_flags& flags);

}  // namespace atl::app
