#pragma once
// Prints one line on standard error, from places where nothing may allocate, such as signal
// handlers.

#include <cstring>
#include <fmt/core.h>
#include <string.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace atl::transport {

/// Prints "atoll: " and the text in one write; long texts are cut. Arguments are numbers and C
/// strings.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) noexcept {
  constexpr std::size_t longest = 1000;
  char line[longest + 1];
  char* end = fmt::format_to_n(line, longest, "atoll: ").out;
  end = fmt::format_to_n(end, static_cast<std::size_t>(line + longest - end), format,
                         std::forward<Arguments>(arguments)...)
            .out;
  *end++ = '\n';
  static_cast<void>(!::write(STDERR_FILENO, line, static_cast<std::size_t>(end - line)));
}

/// Prints a text of any length unchanged.
inline void say_lines(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Returns "Killed", "Segmentation fault" and so on: `strsignal` for signal handlers.
inline const char* signal_name(int signal) noexcept {
  const char* const name = sigdescr_np(signal);
  return name != nullptr ? name : "unknown signal";
}

}  // namespace atl::transport
