#pragma once
// Which cores are free: each pinned PE of any job on this host holds the name of its core.

#include <span>
#include <vector>

namespace atl::job {

/// The cores of a job, for as long as it lives. The name of a core is an abstract socket, which the
/// kernel gives back when the last process that holds it ends, however it ends.
class core_claims {
 public:
  core_claims() = default;

  /// Claims `count` of these cores, the first that are free; none at all where there are not so
  /// many. Children hold them, too.
  core_claims(std::span<const int> cores, int count);
  ~core_claims() { release(); }
  core_claims(core_claims&&) noexcept = default;
  core_claims& operator=(core_claims&&) = delete;

  bool empty() const noexcept { return cores_.empty(); }
  int core_of(int pe) const { return cores_[static_cast<std::size_t>(pe)]; }

 private:
  void release() noexcept;

  std::vector<int> cores_;  ///< by PE
  std::vector<int> sockets_;
};

}  // namespace atl::job
