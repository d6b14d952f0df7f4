// Tests file descriptors that one process sends to another over a socket.

#include "atoll/transport/shm/descriptor_mail.hpp"

#include "atoll/transport/shm/mapping.hpp"

#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::transport::shm {
namespace {

constexpr std::size_t bytes = 2 * page_size;

TEST(descriptor_mail, brings_memory_to_another_process) {
  descriptor_mail here;
  const mapping memory(bytes, "a test");
  const mapping more(bytes, "a test");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  descriptor_mail there;
  const pid_t child = fork();
  if (child == 0) {
    char begun = 0;
    if (read(ready[0], &begun, 1) != 1) _exit(1);
    const auto came = there.receive(here.address());
    if (came.reason != 0 || came.descriptors.size() != 2) _exit(2);
    for (const int each : came.descriptors)
      if (fcntl(each, F_GETFD) != FD_CLOEXEC) _exit(3);
    const mapping first(came.descriptors[0], bytes, "a test");
    const mapping second(came.descriptors[1], bytes, "a test");
    first.data()[7] = std::byte{1};
    second.data()[page_size] = std::byte{2};
    _exit(0);
  }
  const int mine[] = {memory.descriptor(), more.descriptor()};
  ASSERT_EQ(here.send(there.address(), mine), 0);
  ASSERT_EQ(write(ready[1], "x", 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(memory.data()[7], std::byte{1});
  EXPECT_EQ(more.data()[page_size], std::byte{2});
  for (const int each : ready) close(each);
}

TEST(descriptor_mail, says_where_nobody_takes_it) {
  descriptor_mail here;
  mail_address gone;
  {
    const descriptor_mail there;
    gone = there.address();
  }
  const int mine[] = {STDERR_FILENO};
  EXPECT_EQ(here.send(gone, mine), ECONNREFUSED);
  EXPECT_EQ(here.send({}, mine), ENOTCONN);
  EXPECT_EQ(here.receive(gone).reason, EAGAIN);
}

TEST(descriptor_mail, takes_nothing_from_others) {
  descriptor_mail here;
  descriptor_mail stranger;
  descriptor_mail there;
  const int mine[] = {STDERR_FILENO};
  ASSERT_EQ(stranger.send(there.address(), mine), 0);
  EXPECT_EQ(there.receive(here.address()).reason, EAGAIN);
  ASSERT_EQ(stranger.send(there.address(), mine), 0);
  ASSERT_EQ(here.send(there.address(), mine), 0);
  const auto came = there.receive(here.address());
  ASSERT_EQ(came.reason, 0);
  ASSERT_EQ(came.descriptors.size(), 1u);
  close(came.descriptors.front());
}

}  // namespace
}  // namespace atl::transport::shm
