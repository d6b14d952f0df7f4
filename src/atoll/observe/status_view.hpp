#pragma once
// The status board of a running job, as another process reads it.

#include "atoll/observe/counters.hpp"

#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace atl::observe {

struct pe_status {
  bool begun = false;
  std::uint64_t process = 0;
  std::int64_t time = 0;      ///< of these numbers, ns
  std::int64_t idle_for = 0;  ///< ns; 0: it is not idle
  std::int64_t age = 0;       ///< since the PE last showed something, ns; 0 where that says nothing
  std::uint64_t ready_tasks = 0;
  std::uint64_t active_tasks = 0;
  counters counted;
};

class status_view {
 public:
  /// The board of the job that a process belongs to. Throws atl::error (input), which says why
  /// there is no board, or why it may not be read.
  explicit status_view(pid_t process);
  ~status_view();
  status_view(const status_view&) = delete;
  status_view& operator=(const status_view&) = delete;

  int pes() const { return pes_; }

  /// The job has ended; what `read` tells is its last.
  bool ended() const;

  /// What a PE shows. The time that it has been idle by now is counted.
  pe_status read(int pe) const;

 private:
  pid_t process_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  int pes_ = 0;
};

}  // namespace atl::observe
