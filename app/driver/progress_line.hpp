#pragma once
// Shows the progress of a long step in one line of a terminal. If standard error is a pipe or a
// file, nothing is written.

#include <string_view>

namespace atl::app {

/// A line on the terminal that shows progress. The destructor clears the line.
class progress_line {
 public:
  progress_line();
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Replaces the text of the line, on standard error.
  void show(std::string_view text);

  /// Removes the line. Must be called before other output.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace atl::app
