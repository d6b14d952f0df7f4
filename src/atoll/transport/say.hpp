#pragma once
// Functions that print on standard error without allocating memory. Signal handlers may call all
// functions of this file.

#include <cstring>
#include <fmt/core.h>
#include <string.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace atl::transport {

/// Prints "atoll: " and the formatted text in one write. A line is cut off after 1000 characters.
/// Arguments must be numbers or C strings.
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

/// Prints `text` unchanged and in full length.
inline void say_lines(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Returns the description of a signal, such as "Killed" or "Segmentation fault". Unlike
/// `strsignal`, this function may be called by signal handlers.
inline const char* signal_name(int signal) noexcept {
  const char* const name = sigdescr_np(signal);
  return name != nullptr ? name : "unknown signal";
}

}  // namespace atl::transport
