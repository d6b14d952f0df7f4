#pragma once
// Standard output of a PE: whole lines, so that those of several PEs do not mix, and on request
// each with the number of its PE.

#include <cstdio>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <sys/types.h>
#include <vector>

namespace atl::job {

/// Leaves a launcher some time: MPICH's mpiexec drops what it has not forwarded when a rank aborts,
/// the words that say why.
void let_output_be_forwarded() noexcept;

/// Makes standard output line by line for as long as it lives, unless the program has it written at
/// once.
class output_by_line {
 public:
  output_by_line();
  ~output_by_line();
  output_by_line(const output_by_line&) = delete;
  output_by_line& operator=(const output_by_line&) = delete;

 private:
  bool was_in_blocks_;
};

/// The PEs that this process is.
struct pes_of_process {
  int first = 0;
  int count = 1;
};

/// Begins each line that goes to `stdout` or `std::cout` with "[PE 3] ", for as long as it lives.
/// A line leaves in one write, when it is complete; at the end, an incomplete one is completed.
/// Where the process is several PEs, each has its own line: that of the thread that writes.
class tagged_output {
 public:
  explicit tagged_output(pes_of_process mine);
  ~tagged_output();
  tagged_output(const tagged_output&) = delete;
  tagged_output& operator=(const tagged_output&) = delete;

 private:
  /// What a PE has begun to write.
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

/// What the output of the PEs of this process needs, as the settings say.
struct pe_output {
  pe_output(pes_of_process mine, int pes, bool tags) {
    if (pes > 1) by_line.emplace();
    if (tags) tagged.emplace(mine);
  }

  std::optional<output_by_line> by_line;
  std::optional<tagged_output> tagged;
};

}  // namespace atl::job
