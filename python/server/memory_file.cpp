#include "python/server/memory_file.hpp"

#include "atoll/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::serve {
namespace {

[[noreturn]] void fail_with(const char* what, int cause) {
  const bool memory = cause == ENOMEM || cause == ENOSPC || cause == EFBIG;
  fail(memory ? errc::out_of_memory : errc::environment, "{}: {}", what, std::strerror(cause));
}

descriptor open_shared(const shared_file& file, int how) {
  const auto path = fmt::format("/proc/{}/fd/{}", file.process, file.descriptor);
  descriptor opened(open(path.c_str(), how | O_CLOEXEC));
  if (opened.number() < 0)
    fail(errc::environment, "{} cannot be opened, through which PEs share arrays: {}", path,
         std::strerror(errno));
  return opened;
}

}  // namespace

descriptor::~descriptor() {
  // A failure could only mean that the number is no open descriptor: nothing is written through it.
  if (number_ >= 0) static_cast<void>(close(number_));
}

std::uint64_t bytes_of(const descriptor& file) {
  struct stat found{};
  if (fstat(file.number(), &found) != 0) fail_with("the size of an array is unknown", errno);
  // If a client shortened a mapped file, the PEs that read it would be killed by SIGBUS.
  const int seals = S_ISREG(found.st_mode) ? fcntl(file.number(), F_GET_SEALS) : -1;
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
    fail(errc::input, "an array was sent that is not a file in memory with the seal F_SEAL_SHRINK");
  return static_cast<std::uint64_t>(found.st_size);
}

descriptor make_memory_file(std::uint64_t bytes) {
  descriptor made(memfd_create("atoll-result", MFD_CLOEXEC));
  if (made.number() < 0) fail_with("a file in memory cannot be created", errno);
  if (ftruncate(made.number(), static_cast<off_t>(bytes)) != 0)
    fail_with("a file in memory cannot grow", errno);
  return made;
}

shared_file shared_file::of(const serve::descriptor& file) { return {getpid(), file.number()}; }

void shared_file::write(std::uint64_t offset, std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  const auto file = open_shared(*this, O_WRONLY);
  while (!bytes.empty()) {
    const auto written =
        pwrite(file.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with("a result cannot be written to its file in memory", errno);
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

mapped_part::mapped_part(const shared_file& file, std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  const auto opened = open_shared(file, O_RDONLY);
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t before = offset % page;
  void* const begin = mmap(nullptr, before + bytes, PROT_READ, MAP_SHARED, opened.number(),
                           static_cast<off_t>(offset - before));
  if (begin == MAP_FAILED) fail_with("an array cannot be mapped", errno);
  begin_ = begin;
  mapped_ = before + bytes;
  data_ = static_cast<const std::byte*>(begin) + before;
}

mapped_part::~mapped_part() {
  if (begin_ != nullptr) munmap(begin_, mapped_);
}

}  // namespace atl::serve
