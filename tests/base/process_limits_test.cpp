#include "atoll/machine.hpp"

#include <cerrno>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace atl {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Lowers one limit of this process as long as the object exists.
class lowered {
 public:
  lowered(__rlimit_resource resource, rlim_t value) : resource_(resource) {
    getrlimit(resource_, &former_);
    const rlimit now{value, former_.rlim_max};
    setrlimit(resource_, &now);
  }
  ~lowered() { setrlimit(resource_, &former_); }
  lowered(const lowered&) = delete;
  lowered& operator=(const lowered&) = delete;

 private:
  __rlimit_resource resource_;
  rlimit former_{};
};

TEST(process_limits, names_the_limit_behind_the_errno_and_its_value) {
  const lowered files(RLIMIT_NOFILE, 100);
  EXPECT_EQ(
      refusal_text(EMFILE, refused::file),
      "Too many open files; is there room below the limit of open files (ulimit -n, now 100)?");
  const lowered size(RLIMIT_FSIZE, 3 << 20);
  EXPECT_THAT(refusal_text(EFBIG, refused::memory), HasSubstr("(ulimit -f, now 3 MiB)?"));
}

TEST(process_limits, of_a_thread_names_all_it_needs) {
  const lowered stack(RLIMIT_STACK, 4 << 20);
  const lowered processes(RLIMIT_NPROC, 5000);
  const std::string text = refusal_text(EAGAIN, refused::thread);
  EXPECT_THAT(text, HasSubstr("(ulimit -u, now 5000)"));
  EXPECT_THAT(text, HasSubstr("(ulimit -s, now 4 MiB)"));
  EXPECT_THAT(refusal_text(EAGAIN, refused::process), Not(HasSubstr("ulimit -s")));
}

TEST(process_limits, names_none_that_cannot_be_behind_it) {
  EXPECT_EQ(refusal_text(EACCES, refused::file), "Permission denied");
}

TEST(process_limits, keeps_errno) {
  refusal_text(EMFILE, refused::file);
  EXPECT_EQ(errno, EMFILE);
}

}  // namespace
}  // namespace atl
