#pragma once
// Messages to the person who runs the program, on standard error: "atoll: warning: ...", within a
// job of several PEs "atoll: PE 3: warning: ...". Each message is one write, so lines of PEs do not
// mix.

#include "atoll/base/settings.hpp"

#include <fmt/core.h>
#include <string_view>
#include <utility>

namespace atl::log {

/// The least important level that is printed, in this process. Forked PEs inherit it.
void set_level(log_level level);
bool enabled(log_level level);

/// Prints one message, whatever the level. `text` without a line end; may have several lines.
void write(log_level level, std::string_view text);

template <class... Arguments>
void message(log_level level, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (enabled(level)) write(level, fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void trace(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::trace, format, std::forward<Arguments>(arguments)...);
}

template <class... Arguments>
void debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::debug, format, std::forward<Arguments>(arguments)...);
}

template <class... Arguments>
void info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::info, format, std::forward<Arguments>(arguments)...);
}

template <class... Arguments>
void warning(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::warning, format, std::forward<Arguments>(arguments)...);
}

template <class... Arguments>
void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  message(log_level::error, format, std::forward<Arguments>(arguments)...);
}

}  // namespace atl::log
