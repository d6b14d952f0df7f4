#include "app/driver/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace atl::app {

// Moves the cursor to the start of the line and clears the line.
constexpr std::string_view start_of_line = "\r\x1b[K";

progress_line::progress_line() : terminal_(isatty(STDERR_FILENO) == 1) {}

void progress_line::show(std::string_view text) {
  if (!terminal_) return;
  fmt::print(stderr, "{}{}", start_of_line, text);
  shown_ = true;
}

void progress_line::clear() {
  if (shown_) fmt::print(stderr, "{}", start_of_line);
  shown_ = false;
}

}  // namespace atl::app
