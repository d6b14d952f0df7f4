#include "atoll/machine.hpp"

#include "support/told_by_child.hpp"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace atl {
namespace {

bool is_dev_null(int descriptor) {
  struct stat seen{};
  return fstat(descriptor, &seen) == 0 && S_ISCHR(seen.st_mode) && major(seen.st_rdev) == 1 &&
         minor(seen.st_rdev) == 3;
}

struct found {
  std::array<bool, 3> is_null{};
  int next_file = -1;  ///< The number of the descriptor that the next opened file gets.
};

/// Returns the state of a child process that starts without the descriptors in `closed`.
found with_closed(unsigned closed) {
  return told_by_child([closed] {
    for (int descriptor = 0; descriptor < 3; ++descriptor)
      if ((closed & 1u << descriptor) != 0) close(descriptor);
    open_standard_descriptors();
    found result;
    for (int descriptor = 0; descriptor < 3; ++descriptor)
      result.is_null[static_cast<std::size_t>(descriptor)] = is_dev_null(descriptor);
    result.next_file = open("/", O_RDONLY);
    return result;
  });
}

TEST(standard_descriptors, become_dev_null_where_they_are_closed) {
  const found as_they_are = with_closed(0);
  for (unsigned closed = 0; closed < 8; ++closed) {
    const found result = with_closed(closed);
    EXPECT_GT(result.next_file, 2) << closed;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(result.is_null[i], (closed & 1u << i) != 0 || as_they_are.is_null[i])
          << i << " of " << closed;
  }
}

TEST(standard_descriptors, take_what_is_written) {
  EXPECT_TRUE(told_by_child([] {
    close(STDOUT_FILENO);
    open_standard_descriptors();
    return std::puts("lost") >= 0 && std::fflush(stdout) == 0;
  }));
}

}  // namespace
}  // namespace atl
