#pragma once
// Shows the progress of long work in one line of a terminal. In a pipe or file nothing is written.

#include <string_view>

namespace atl::app {

/// A line that is cleared when the object is destroyed.
class progress_line {
 public:
  progress_line();
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Replaces the line, on standard error.
  void show(std::string_view text);

  /// Removes the line; call before other output.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace atl::app
