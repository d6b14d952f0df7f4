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
/// Where operations on a global structure are combined into one commit: nowhere, on its master PE,
/// on the PE of the tasks, or on both.
enum class combining_mode : std::uint8_t { none, central, local, both };
/// The route of messages between nodes: direct, by the stream between the two nodes, or by an
/// intermediate node in a grid (message/routes.hpp).
enum class routing : std::uint8_t { automatic, direct, node, grid };
enum class sim_model : std::uint8_t { none, grappa2014, modern };
enum class log_level : std::uint8_t { trace, debug, info, warning, error };

/// The audience of a setting: users, or those who measure, model and test the runtime itself.
enum class setting_group : std::uint8_t { user, measurement };

/// One row of the table, as text. `range` is empty if every value is allowed.
struct setting_description {
  std::string_view name;
  setting_group group;
  std::string_view kind;  ///< count, bound, size, duration, on_off, text, choice
  std::string_view default_value;
  std::string_view range;
  std::string_view help;

  /// Returns the environment variable of the setting: "ATOLL_BUFFER_SIZE" for "buffer-size".
  std::string variable() const;
};

/// Returns all settings, in the order of the table: those for users first.
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

/// The settings of a job, as a plain value: cheap to copy, and independent of the process. Sizes
/// are in bytes, durations in nanoseconds.
struct settings {
#define ATOLL_SETTING(field, name, group, kind, initial, shown, low, high, help)                   \
  base::setting_kind::kind field = initial;
#include "atoll/base/settings.def"
#undef ATOLL_SETTING

  /// Returns the defaults, changed by the ATOLL_* variables. Throws `error` (input) for a bad
  /// value, and for an unknown variable; the text names the nearest known one.
  static settings from_environment();

  /// Returns the settings of `from_environment`, changed by the arguments `--atoll-NAME VALUE` and
  /// `--atoll-NAME=VALUE`. These are removed from the arguments, up to an argument `--`; the others
  /// stay in order. Throws `error` (input).
  static settings take_flags(int& argc, char** argv);

  /// Changes one setting. `origin` is what the user wrote, such as "--pes" or "ATOLL_PES", and
  /// begins the text of errors. "machine" stands for a value that the runtime has determined.
  /// Throws `error` (input).
  void set(std::string_view name, std::string_view value, std::string_view origin);

  /// Returns the present value, as a user would write it.
  std::string value(std::string_view name) const;

  /// Returns the last source of the value: "default", "environment", "flag", "machine" or
  /// "program". A program may also have assigned another value to the field directly.
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

/// Returns the known name that is nearest to `wrong`; "" if none is near.
std::string nearest_name(std::string_view wrong, std::span<const std::string> known);

/// Parses a number of bytes: "100", "64KiB", "2MB", "1G" (binary, like "1GiB"). Throws `error`
/// (input).
std::uint64_t parse_size(std::string_view text);

/// Parses a duration into nanoseconds: "7ns", "50us", "100ms", "10s", "2min", and "0". Throws
/// `error` (input).
std::int64_t parse_duration(std::string_view text);

/// Parses a whole decimal number. Throws `error` (input).
std::uint64_t parse_count(std::string_view text);

/// Returns the shortest exact text that `parse_size` reads: "16KiB", "1000".
std::string size_text(std::uint64_t bytes);

/// Returns the shortest exact text that `parse_duration` reads: "100us", "0".
std::string duration_text(std::int64_t nanoseconds);

}  // namespace atl
