#include "atoll/machine.hpp"

#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace atl {
namespace {

// Stores whether standard input and standard output were closed when the library was loaded.
constinit bool was_closed[] = {false, false};

bool is_closed(int descriptor) noexcept { return fcntl(descriptor, F_GETFD) < 0 && errno == EBADF; }

/// Opens a descriptor that fails when a program reads or writes it. The descriptor refers to the
/// root folder, which exists on every system.
int open_unusable() noexcept { return open("/", O_PATH); }

/// Opens /dev/null as `descriptor`, which must be the lowest free number. If another thread opens a
/// file at the same moment, /dev/null may get another number and is closed again.
void open_as(int descriptor) noexcept {
  int opened = open("/dev/null", O_RDWR);
  if (opened < 0) opened = open_unusable();
  if (opened >= 0 && opened != descriptor) close(opened);
}

/// Opens closed standard streams when the library is loaded. Because of the priority 101, the
/// function runs before all other constructors of this library.
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
