#include "atoll/shmem/group.hpp"

#include <algorithm>

namespace atl::shmem {

int group::number_of(int pe) const {
  if (!listed.empty()) {
    const auto found = std::find(listed.begin(), listed.end(), pe);
    return found == listed.end() ? -1 : static_cast<int>(found - listed.begin());
  }
  const int distance = pe - start;
  if (distance % stride != 0) return -1;
  const int number = distance / stride;
  return number >= 0 && number < size ? number : -1;
}

}  // namespace atl::shmem
