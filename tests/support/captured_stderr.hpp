#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::test {

/// Returns the content of an anonymous file in memory.
inline std::string text_of_memory_file(int file) {
  std::string all(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  all.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, pread(file, all.data(), all.size(), 0))));
  return all;
}

/// Returns true if this process has written `part` to standard error since a `captured_stderr` was
/// made. Any PE may call this function.
inline bool is_said(std::string_view part) {
  return text_of_memory_file(STDERR_FILENO).find(part) != std::string::npos;
}

/// Captures what this process and its children write to standard error, as long as the object
/// exists.
class captured_stderr {
 public:
  captured_stderr() : kept_(memfd_create("stderr", 0)) {
    std::fflush(stderr);
    dup2(kept_, STDERR_FILENO);
  }
  ~captured_stderr() {
    std::fflush(stderr);
    dup2(former_, STDERR_FILENO);
    close(former_);
    close(kept_);
  }
  captured_stderr(const captured_stderr&) = delete;
  captured_stderr& operator=(const captured_stderr&) = delete;

  /// Returns the text that was captured so far.
  std::string text() const {
    std::fflush(stderr);
    return text_of_memory_file(kept_);
  }

 private:
  int former_ = dup(STDERR_FILENO);
  int kept_;
};

}  // namespace atl::test
