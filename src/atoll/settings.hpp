#pragma once
// The settings of a job. The table of all settings is settings.def.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace atl {

enum class pe_kind : std::uint8_t { process, thread };
enum class transport_kind : std::uint8_t { automatic, shm, mpi, sim };
enum class mpi_library : std::uint8_t { automatic, openmpi, mpich };
/// The PE on which operations on a global structure are combined. Combined operations are applied
/// to the structure as one batch, a commit. Operations are combined on no PE, on the structure's
/// master PE, on the PE of the calling tasks, or on both.
enum class combining_mode : std::uint8_t { none, central, local, both };
/// The route of messages between nodes. `direct` sends a message straight to its destination.
/// `node` sends all messages between two nodes through a few PEs of both nodes. `grid` also uses an
/// intermediate node, in a grid of nodes (message/routes.hpp).
enum class routing : std::uint8_t { automatic, direct, node, grid };
enum class sim_model : std::uint8_t { none, grappa2014, modern };
enum class log_level : std::uint8_t { trace, debug, info, warning, error };

/// The audience of a setting: users of Atoll, or developers who measure, model and test the
/// runtime.
enum class setting_group : std::uint8_t { user, measurement };

/// One row of the table of settings, as text. `range` is empty if every value is allowed.
struct setting_description {
  std::string_view name;
  setting_group group;
  std::string_view kind;  ///< count, bound, size, duration, on_off, text, file or choice
  std::string_view default_value;
  std::string_view range;
  std::string_view help;

  /// Returns the environment variable of the setting: "ATOLL_BUFFER_SIZE" for "buffer-size".
  std::string variable() const;
};

/// Returns the descriptions of all settings. Settings for users come first.
std::span<const setting_description> settings_table();

namespace base::setting_kind {
using count = std::uint64_t;
using bound = std::uint64_t;
using size = std::uint64_t;
using duration = std::int64_t;
using on_off = bool;
using text = std::string;
using file = std::string;
using pe_kind = atl::pe_kind;
using transport_kind = atl::transport_kind;
using mpi_library = atl::mpi_library;
using combining_mode = atl::combining_mode;
using routing = atl::routing;
using sim_model = atl::sim_model;
using log_level = atl::log_level;
}  // namespace base::setting_kind

/// The settings of a job. A copy is independent of the original and of the process. Sizes are in
/// bytes, durations in nanoseconds.
struct settings {
#define ATOLL_SETTING(field, name, group, kind, initial, shown, low, high, help)                   \
  base::setting_kind::kind field = initial;
#include "atoll/base/settings.def"
#undef ATOLL_SETTING

  /// Returns the default settings, changed by the environment variables ATOLL_*. Throws `error`
  /// (input) for a bad value, and for a variable whose name looks like a misspelt setting. The text
  /// of the error suggests the nearest known name.
  static settings from_environment();

  /// Returns the settings of `from_environment`, changed by the arguments `--atoll-NAME VALUE` and
  /// `--atoll-NAME=VALUE`. Arguments with the prefix `--atoll-` are removed from `argv`, and the
  /// others stay in order. Arguments after `--` are left alone. Throws `error` (input) for an
  /// unknown setting or a bad value.
  static settings take_flags(int& argc, char** argv);

  /// Changes the setting `name` to `value`. `origin` is the flag or variable that the user wrote,
  /// such as "--pes" or "ATOLL_PES"; error texts begin with it. The origin "machine" means that the
  /// runtime has determined the value. Throws `error` (input) for an unknown setting or a bad
  /// value.
  void set(std::string_view name, std::string_view value, std::string_view origin);

  /// Returns the present value of the setting `name`, as a user would write it. Throws `error`
  /// (input) for an unknown setting.
  std::string value(std::string_view name) const;

  /// Returns the source of the setting's present value: "default", "environment", "flag", "machine"
  /// or "program". The result is also "program" if a program has assigned another value than the
  /// default to the field.
  std::string_view origin(std::string_view name) const;

 private:
  enum class source : std::uint8_t { initial, environment, flag, program, machine };
  static constexpr std::size_t number_of_settings = 0
#define ATOLL_SETTING(...) +1
#include "atoll/base/settings.def"
#undef ATOLL_SETTING
      ;
  std::array<source, number_of_settings> sources_{};
};

/// Returns the name in `known` that is nearest to `wrong`, or "" if no name is near. The texts of
/// errors suggest this name as a correction.
std::string nearest_name(std::string_view wrong, std::span<const std::string> known);

/// Parses a number of bytes, such as "100", "64KiB", "2MB" or "1G" (which means "1GiB"). Throws
/// `error` (input) for other texts.
std::uint64_t parse_size(std::string_view text);

/// Parses a duration, such as "7ns", "50us", "100ms", "10s", "2min" or "0", and returns
/// nanoseconds. Throws `error` (input) for other texts.
std::int64_t parse_duration(std::string_view text);

/// Parses a whole decimal number. Throws `error` (input) for other texts.
std::uint64_t parse_count(std::string_view text);

/// Returns the shortest text that `parse_size` reads as exactly `bytes`, such as "16KiB" or "1000".
std::string size_text(std::uint64_t bytes);

/// Returns the shortest text that `parse_duration` reads as exactly `nanoseconds`, such as "100us"
/// or "0".
std::string duration_text(std::int64_t nanoseconds);

}  // namespace atl
