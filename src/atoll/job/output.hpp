#pragma once
// Standard output of a PE. Lines are written as a whole, so that those of several PEs do not mix.
// On request each line begins with the number of its PE.

#include <cstdio>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <sys/types.h>
#include <vector>

namespace atl::job {

/// Waits for a launcher to forward output. When a rank aborts, MPICH's mpiexec drops output that it
/// has not forwarded, including the error message.
void let_output_be_forwarded() noexcept;

/// Makes standard output line-buffered while it exists, unless the program has made it unbuffered.
class output_by_line {
 public:
  output_by_line();
  ~output_by_line();
  output_by_line(const output_by_line&) = delete;
  output_by_line& operator=(const output_by_line&) = delete;

 private:
  bool was_in_blocks_;
};

/// The PEs that run in this process.
struct pes_of_process {
  int first = 0;
  int count = 1;
};

/// Begins each line of `stdout` or `std::cout` with "[PE 3] " while it exists. A complete line is
/// written at once; an incomplete last line is completed. In a process of several PEs each has its
/// own line, selected by the writing thread.
class tagged_output {
 public:
  explicit tagged_output(pes_of_process mine);
  ~tagged_output();
  tagged_output(const tagged_output&) = delete;
  tagged_output& operator=(const tagged_output&) = delete;

 private:
  /// An incomplete line of a PE.
  struct open_line {
    explicit open_line(int pe);
    void write();

    std::string tag;
    std::string text;
  };

  static ssize_t take(void* self, const char* text, size_t bytes);
  open_line& of_this_thread();

  const int first_;
  std::vector<open_line> lines_;  ///< by PE
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
  std::FILE* untagged_;
  std::unique_ptr<std::streambuf> buffer_;
  std::streambuf* untagged_buffer_;
};

/// Sets up the output of the PEs of this process, as the settings say.
struct pe_output {
  pe_output(pes_of_process mine, int pes, bool tags) {
    if (pes > 1) by_line.emplace();
    if (tags) tagged.emplace(mine);
  }

  std::optional<output_by_line> by_line;
  std::optional<tagged_output> tagged;
};

}  // namespace atl::job
