#pragma once
// Messages to the user of the program, numbers as text, and the progress of long calls.

#include "atoll/settings.hpp"

#include <concepts>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

// Messages to the user of the program, on standard error: "atoll: warning: ...", within a job of
// several PEs "atoll: PE 3: warning: ...". Each message is one write, so lines of different PEs do
// not mix.

namespace atl::log {

/// Sets the least important level that this process prints. Forked PEs inherit it.
void set_level(log_level level);
/// Returns whether messages of this level are printed.
bool enabled(log_level level);

/// Prints one message, whatever the level. `text` has no final line end; it may have several lines.
void write(log_level level, std::string_view text);

/// Prints a formatted message if its level is enabled.
template <class... Arguments>
void message(log_level level, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (enabled(level)) write(level, fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Prints a formatted message of level trace, if that is enabled.
template <class... Arguments>
void trace(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::trace, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level debug, if that is enabled.
template <class... Arguments>
void debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::debug, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level info, if that is enabled.
template <class... Arguments>
void info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::info, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level warning, if that is enabled.
template <class... Arguments>
void warning(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::warning, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level error, if that is enabled.
template <class... Arguments>
void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::error, format, std::forward<Arguments>(arguments)...);
}

}  // namespace atl::log

// Numbers as text: three significant digits, and the unit that keeps them short.

namespace atl {

/// Returns "42.7 M", "1.06 G", "950" or "0.25", for counts and rates ("42.7 M" + "updates/s").
std::string human_number(double value);

/// Returns a number of bytes as "256 MiB", "1.5 KiB" or "17 B".
std::string human_bytes(double bytes);

/// Returns a duration as "1.2 ms", "100 us", "12.5 s" or "3 min 20 s".
std::string human_seconds(double seconds);

/// Returns a fraction as "12.5 %".
std::string human_percent(double fraction);

/// Returns all digits, in groups: "1,048,576".
std::string grouped_digits(std::uint64_t value);

// Progress of long calls.

/// A reference to a function of the caller, which a call calls to tell something. The function
/// object must outlive the call. A trivially copyable value; the default is no function.
template <class... Told>
class listener {
 public:
  listener() = default;
  template <std::invocable<Told...> Function>
  listener(const Function& function)
      : object_(&function), call_([](const void* object, Told... told) {
          (*static_cast<const Function*>(object))(told...);
        }) {}

  void operator()(Told... told) const {
    if (call_ != nullptr) call_(object_, told...);
  }

 private:
  const void* object_ = nullptr;
  void (*call_)(const void*, Told...) = nullptr;
};

/// Hears of the progress of a long call: its current step, and the part of the step that is done, 0
/// to 1. This happens on the PE of the calling task; for the step "reading" of a graph only if that
/// is PE 0. The function must not throw.
using progress_view = listener<std::string_view, double>;

}  // namespace atl
