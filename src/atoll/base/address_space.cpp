#include "atoll/machine.hpp"

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace atl {
namespace {

std::uint64_t left_of(__rlimit_resource resource, std::uint64_t used) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

// A line of /proc/self/statm: "size resident shared text library data dirty", in pages.
address_space_left read_address_space_left(const std::filesystem::path& root) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream file(root / "proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t data = 0;
  std::uint64_t skipped = 0;
  if (!(file >> size >> skipped >> skipped >> skipped >> skipped >> data)) size = data = 0;
  return {left_of(RLIMIT_AS, size * page), left_of(RLIMIT_DATA, data * page)};
}

}  // namespace atl
