#pragma once
// Messages to the user of the program, functions that write numbers as text, and callbacks for the
// progress of long calls.

#include "atoll/settings.hpp"

#include <concepts>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

// Messages go to standard error, such as "atoll: warning: ...". In a job of several PEs a message
// names its PE, as in "atoll: PE 3: warning: ...". Each message is written by one system call, so
// messages of different PEs do not mix.

namespace atl::log {

/// Sets the least important level that this process prints. PEs that are forked later inherit the
/// level.
void set_level(log_level level);
/// Returns whether this process prints messages of `level`.
bool enabled(log_level level);

/// Prints one message, even if its level is not enabled. `text` may have several lines, but must
/// not end with a line break.
void write(log_level level, std::string_view text);

/// Prints a formatted message if its level is enabled.
template <class... Arguments>
void message(log_level level, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (enabled(level)) write(level, fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Prints a formatted message of level trace if that level is enabled.
template <class... Arguments>
void trace(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::trace, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level debug if that level is enabled.
template <class... Arguments>
void debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::debug, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level info if that level is enabled.
template <class... Arguments>
void info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::info, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level warning if that level is enabled.
template <class... Arguments>
void warning(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::warning, format, std::forward<Arguments>(arguments)...);
}

/// Prints a formatted message of level error if that level is enabled.
template <class... Arguments>
void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::error, format, std::forward<Arguments>(arguments)...);
}

}  // namespace atl::log

// The next four functions write a number with three significant digits. Each function chooses the
// unit so that the text is short.

namespace atl {

/// Returns a count or a rate as text, such as "42.7 M", "1.06 G", "950" or "0.25". The caller
/// appends the unit, such as "updates/s".
std::string human_number(double value);

/// Returns a number of bytes as text, such as "256 MiB", "1.5 KiB" or "17 B".
std::string human_bytes(double bytes);

/// Returns a duration as text, such as "1.2 ms", "100 us", "12.5 s" or "3 min 20 s".
std::string human_seconds(double seconds);

/// Returns a fraction as a percentage: 0.125 becomes "12.5 %".
std::string human_percent(double fraction);

/// Returns all digits of `value` in groups of three, such as "1,048,576".
std::string grouped_digits(std::uint64_t value);

// A long call reports its progress to a function of the caller.

/// A reference to a function object of the caller. A library function calls this object to report
/// something, such as progress. The function object must outlive the call of the library function.
/// A listener is trivially copyable. A default-constructed listener calls nothing.
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

/// A callback to which a long call reports its progress. The arguments are the name of the current
/// step, and the fraction of the step that is done, 0 to 1. The function is called on the PE of the
/// calling task. In the step "reading" of a graph, the function is called only if the calling task
/// is on PE 0. The function must not throw.
using progress_view = listener<std::string_view, double>;

}  // namespace atl
