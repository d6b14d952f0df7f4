#pragma once
// What `atoll sort` and `atoll bench sort` are made of. A program in which keys come to their PEs
// in another way takes it, too.

#include "app/driver/kernel_command.hpp"
#include "atoll/kernels/sort/run.hpp"
#include "atoll/kernels/sort/validation.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// ---- What was asked for, and what was found.

struct sort_flags {
  benchmark_flags common;
  std::string file;                     ///< with keys; "" for none
  std::string content;                  ///< where that stands, where it is a pipe; else ""
  const atl::nas_class* nas = nullptr;  ///< of --class, or of no other input
  std::uint64_t keys = 0;               ///< random ones; 0 for none
  std::uint64_t bits = 0;               ///< of those; 0: as many as usual
  std::uint64_t seed = 1;               ///< of those
  std::string output;                   ///< file for the keys in order; "" for none

  bool of_file() const { return !file.empty(); }
  bool random() const { return keys != 0; }
};

struct sort_findings {
  std::uint64_t keys = 0;
  unsigned bits = 0;                                    ///< of the largest key
  double read_seconds = 0;                              ///< of a file
  std::vector<kernels::sort::run_outcome> trials;       ///< timed ones
  std::optional<kernels::sort::run_outcome> otherwise;  ///< in another way, beside the last trial
  /// With --verify: the first that was wrong, or the last.
  std::optional<kernels::sort::sort_check> check;
  std::uint64_t bytes_peak = 0;  ///< of all processes, as the system counts

  /// The tested keys of NAS had the published ranks in all trials.
  bool passed() const;
  bool right() const { return passed() && (!check || check->right()); }
};

struct key_source;
template <class Key>
class sort_trials;

// ---- The command.

class sort_command : public kernel_command {
 public:
  sort_command(sort_flags& flags, const settings& options);

 protected:
  using outcome = kernels::sort::run_outcome;
  using nas_class = atl::nas_class;
  using keys32 = kernels::sort::keys_of_all<std::uint32_t>;
  using keys64 = kernels::sort::keys_of_all<std::uint64_t>;

  /// How keys come to their PEs, in a word.
  virtual std::string_view exchange() const { return "collective"; }

  /// Whether keys for another node stand beside each other before they travel.
  virtual bool stages_keys() const { return true; }

  /// Runs the benchmark of NAS once, or sorts keys that are not of NAS: those of a class of 0 bits.
  virtual task<outcome> sort_once(keys32 all, const nas_class& of);
  virtual task<outcome> sort_once(keys64 all, const nas_class& of);

  /// With --compare: measures, behind a sort that found `own`, what this way is measured beside in
  /// the same job. Returns what another sort of these keys found, if there was one; the keys in
  /// order are those of that one then.
  virtual task<std::optional<outcome>> compare(keys32 all, const nas_class& of, const outcome& own,
                                               measurements& measured);
  virtual task<std::optional<outcome>> compare(keys64 all, const nas_class& of, const outcome& own,
                                               measurements& measured);

 private:
  template <class Key>
  friend class sort_trials;

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
  task<key_source> find_source();

  const sort_flags& flags_;
  result_output output_;
  sort_findings findings_;
};

/// All flags of the command, which measures where the flags say so. `flags` lives as long as it.
void add_sort_flags(CLI::App& command, command_context& context, sort_flags& flags);

}  // namespace atl::app
