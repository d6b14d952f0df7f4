#include "atoll/machine.hpp"

#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace atl {
namespace {

constinit bool was_closed[] = {false, false};  // standard input and output

bool is_closed(int descriptor) noexcept { return fcntl(descriptor, F_GETFD) < 0 && errno == EBADF; }

/// Opens a descriptor that occupies a number and cannot be used. Needs only a root folder.
int open_unusable() noexcept { return open("/", O_PATH); }

/// Opens /dev/null as `descriptor`. The lowest free number is `descriptor`, unless another thread
/// has just opened a file.
void open_as(int descriptor) noexcept {
  int opened = open("/dev/null", O_RDWR);
  if (opened < 0) opened = open_unusable();
  if (opened >= 0 && opened != descriptor) close(opened);
}

/// Runs before all other constructors of this library.
[[gnu::constructor(101)]] void open_when_loaded() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO})
    was_closed[descriptor] = is_closed(descriptor);
  open_standard_descriptors();
}

}  // namespace

void open_standard_descriptors() noexcept {
  const int former = errno;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (is_closed(descriptor)) open_as(descriptor);
  errno = former;
}

void refuse_streams_that_were_closed() noexcept {
  const int unusable = open_unusable();
  if (unusable < 0) return;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO})
    if (was_closed[descriptor]) dup2(unusable, descriptor);
  close(unusable);
}

}  // namespace atl
