#include "python/server/memory_file.hpp"

#include "atoll/delegates.hpp"
#include "atoll/error.hpp"
#include "atoll/pe.hpp"
#include "atoll/run.hpp"

#include <algorithm>
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

void write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with("an array cannot be written to its file in memory", errno);
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void read_at(int file, std::uint64_t offset, std::span<std::byte> into) {
  while (!into.empty()) {
    const auto got = pread(file, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      fail_with("an array cannot be read from its file in memory", got < 0 ? errno : EIO);
    offset += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace

descriptor::~descriptor() {
  // `close` fails only if the number is no open descriptor, because no writes through the
  // descriptor are pending.
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

std::uint64_t bytes_of_own(const descriptor& file) {
  struct stat found{};
  if (fstat(file.number(), &found) != 0) fail_with("the size of an array is unknown", errno);
  return static_cast<std::uint64_t>(found.st_size);
}

void read_own(const descriptor& file, std::uint64_t offset, std::span<std::byte> into) {
  read_at(file.number(), offset, into);
}

memory_file_writer::memory_file_writer()
    : file_(memfd_create("atoll-argument", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (file_.number() < 0) fail_with("a file in memory cannot be created", errno);
}

void memory_file_writer::append(std::span<const char> bytes) {
  write_at(file_.number(), bytes_of_own(file_), std::as_bytes(bytes));
}

descriptor memory_file_writer::finished() {
  if (fcntl(file_.number(), F_ADD_SEALS, F_SEAL_SHRINK) != 0)
    fail_with("a file in memory cannot be sealed", errno);
  return std::move(file_);
}

namespace {

// On a machine other than that of PE 0, a task reads and writes a file by exchanging pieces with PE
// 0. Few pieces of a PE are on their way at any time, so that the messages of many PEs fit into the
// memory of PE 0.

constexpr std::uint64_t k_pieces_on_the_way = 8;

/// Returns the length of a piece that fits into a message.
std::uint64_t bytes_of_piece() { return job_settings().buffer_size / 2; }

/// Calls `ask(begin, bytes)` for each piece of a range, and waits until all pieces are exchanged.
template <class Ask>
task<> exchange_pieces(std::uint64_t bytes, const Ask& ask) {
  const std::uint64_t piece = bytes_of_piece();
  const std::uint64_t stretch = piece * k_pieces_on_the_way;
  for (std::uint64_t from = 0; from < bytes; from += stretch) {
    const auto ask_some = [&, until = std::min(bytes, from + stretch)] {
      for (std::uint64_t begin = from; begin < until; begin += piece)
        ask(begin, std::min(piece, until - begin));
    };
    co_await finish(ask_some);
  }
}

task<> write_by_messages(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  const auto ask = [&](std::uint64_t begin, std::uint64_t count) {
    const auto write = [file, at = offset + begin](std::span<const std::byte> piece) {
      write_at(file, at, piece);
    };
    async_call(0, write, bytes.subspan(begin, count));
  };
  co_await exchange_pieces(bytes.size(), ask);
}

/// Runs on PE 0: sends a piece of the file to the PE that has asked.
void send_piece(int file, std::uint64_t offset, std::uint64_t bytes, int to, std::uintptr_t place) {
  std::vector<std::byte> piece(bytes);
  read_at(file, offset, piece);
  const auto store = [place](std::span<const std::byte> all) {
    std::memcpy(reinterpret_cast<std::byte*>(place), all.data(), all.size());
  };
  async_call(to, store, piece);
}

/// `into` must be memory on the heap, which the caller keeps until this function returns, because
/// replies of PE 0 are written to its address.
task<> read_by_messages(int file, std::uint64_t offset, std::span<std::byte> into) {
  const auto ask = [&](std::uint64_t begin, std::uint64_t count) {
    const auto place = reinterpret_cast<std::uintptr_t>(into.data() + begin);
    async_call(0, [file, at = offset + begin, count, to = my_pe(), place] {
      send_piece(file, at, count, to, place);
    });
  };
  co_await exchange_pieces(into.size(), ask);
}

std::shared_ptr<const std::byte> mapping_of(const shared_file& file, std::uint64_t offset,
                                            std::uint64_t bytes) {
  const auto opened = open_shared(file, O_RDONLY);
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t before = offset % page;
  void* const begin = mmap(nullptr, before + bytes, PROT_READ, MAP_SHARED, opened.number(),
                           static_cast<off_t>(offset - before));
  if (begin == MAP_FAILED) fail_with("an array cannot be mapped", errno);
  const auto unmap = [begin, length = before + bytes](const std::byte*) { munmap(begin, length); };
  return {static_cast<const std::byte*>(begin) + before, unmap};
}

/// A copy of a part of a file, which counts for the memory limit.
struct copy_of_part {
  explicit copy_of_part(std::uint64_t bytes)
      : charge(bytes, "the copy of an array of the client"),
        content(std::make_unique_for_overwrite<std::byte[]>(bytes)) {}

  held_memory charge;
  std::unique_ptr<std::byte[]> content;
};

}  // namespace

task<> shared_file::write(std::uint64_t offset, std::span<const std::byte> bytes) const {
  if (bytes.empty()) co_return;
  if (shares_memory_with(0))
    write_at(open_shared(*this, O_WRONLY).number(), offset, bytes);
  else
    co_await write_by_messages(descriptor, offset, bytes);
}

task<mapped_part> mapped_part::of(shared_file file, std::uint64_t offset, std::uint64_t bytes) {
  mapped_part made;
  if (bytes == 0) co_return made;
  if (shares_memory_with(0)) {
    made.data_ = mapping_of(file, offset, bytes);
    co_return made;
  }
  const auto copy = std::make_shared<copy_of_part>(bytes);
  co_await read_by_messages(file.descriptor, offset, std::span(copy->content.get(), bytes));
  made.data_ = std::shared_ptr<const std::byte>(copy, copy->content.get());
  co_return made;
}

}  // namespace atl::serve
