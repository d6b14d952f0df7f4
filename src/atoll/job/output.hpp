#pragma once
// Functions for the standard output of PEs. Each line is written at once, so that lines of several
// PEs do not mix. With the setting `tag-output`, each line begins with the number of its PE.

#include <cstdio>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <sys/types.h>
#include <vector>

namespace atl::job {

/// Waits 200 ms, so that a launcher can forward output. When a rank aborts, MPICH's mpiexec drops
/// all output that it has not forwarded, including error messages.
void let_output_be_forwarded() noexcept;

/// Makes standard output line-buffered as long as this object exists. If the program has made the
/// output unbuffered, the object has no effect.
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

/// Makes each line of `stdout` and `std::cout` begin with a tag such as "[PE 3] ", as long as this
/// object exists. A line is written as soon as it is complete. The destructor also writes
/// incomplete lines, each with a newline at its end. If a process has several PEs, a line belongs
/// to the PE of the thread that writes it.
class tagged_output {
 public:
  explicit tagged_output(pes_of_process mine);
  ~tagged_output();
  tagged_output(const tagged_output&) = delete;
  tagged_output& operator=(const tagged_output&) = delete;

 private:
  /// The incomplete line of a PE.
  struct open_line {
    explicit open_line(int pe);
    void write();

    std::string tag;
    std::string text;
  };

  static ssize_t take(void* self, const char* text, size_t bytes);
  open_line& of_this_thread();

  const int first_;
  std::vector<open_line> lines_;  ///< incomplete lines, by PE
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
  std::FILE* untagged_;
  std::unique_ptr<std::streambuf> buffer_;
  std::streambuf* untagged_buffer_;
};

/// Sets up the output of the PEs of this process: line-buffered if the job has several PEs, and
/// tagged if `tags` is true.
struct pe_output {
  pe_output(pes_of_process mine, int pes, bool tags) {
    if (pes > 1) by_line.emplace();
    if (tags) tagged.emplace(mine);
  }

  std::optional<output_by_line> by_line;
  std::optional<tagged_output> tagged;
};

}  // namespace atl::job
