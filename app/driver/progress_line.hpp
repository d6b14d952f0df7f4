#pragma once
// One line on a terminal that says how far long work has come; nothing at all in a pipe or a file.

#include <string_view>

namespace atl::app {

/// Clears its line when it ends.
class progress_line {
 public:
  progress_line();
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Replaces the line, on standard error.
  void show(std::string_view text);

  /// Removes the line, before other output.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace atl::app
