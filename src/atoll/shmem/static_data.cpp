#include "atoll/shmem/static_data.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/job/signal_scope.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"
#include "atoll/shmem/executable_data.hpp"
#include "atoll/shmem/page_exchange.hpp"
#include "atoll/shmem/private_copies.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace atl::shmem {
namespace {

sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

bool is_within(std::span<std::byte> bytes, const void* address) {
  const auto distance =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(bytes.data());
  return distance < bytes.size();
}

std::span<std::byte> whole_of(const std::vector<data_piece>& pieces) {
  if (pieces.empty()) return {};
  return {pieces.front().begin, pieces.back().end};
}

void exchange_pages(const std::vector<data_piece>& pieces, int file, std::uint64_t place) {
  page_exchange exchange(file, place, pieces.front().begin);
  const job::blocked_signals later(all_signals());
  const refused_exchange refused_call = exchange.run(pieces.data(), pieces.size());
  if (refused_call.call != nullptr)
    fail(errc::environment, "{} of {} KiB of static data failed: {}", refused_call.call,
         refused_call.bytes >> 10, refusal_text(refused_call.reason, refused::memory));
  const std::byte* const first = pieces.front().begin;
  for (const data_piece& piece : pieces)
    copy_in_children({piece.begin, static_cast<std::size_t>(piece.end - piece.begin),
                      piece.protection, file, static_cast<off_t>(place) + (piece.begin - first)});
}

/// A descriptor of the file that no end of a job closes: a fork reads the file.
int kept_open(int file) {
  const int copy = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0)
    fail(errc::environment, "the static data need one more descriptor: {}",
         refusal_text(errno, refused::file));
  return copy;
}

void check_stack(std::span<std::byte> exposed, const void* on_stack) {
  ATOLL_ASSERT(!is_within(exposed, on_stack),
               "static data cannot be shared by who runs on a stack that lies in it");
}

std::uint64_t offset_in(const transport::endpoint::common_file& common, std::size_t place,
                        std::size_t bytes) {
  return round_up(common.free, std::uint64_t{transport::shm::page_size}) +
         place * round_up(bytes, transport::shm::page_size);
}

void lengthen(int file, std::uint64_t bytes) {
  const job::file_size_signal_ignored refusal_is_an_error;
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0)
    fail(errc::environment, "sizing of shared memory for static data failed: {}",
         refusal_text(errno, refused::memory));
}

}  // namespace

std::size_t static_data::bytes_of_program() { return whole_of(executable_data()).size(); }

static_data::static_data() {
  const std::vector<data_piece> pieces = executable_data();
  if (pieces.empty()) return;
  bytes_ = whole_of(pieces);
  check_stack(bytes_, &pieces);
  {
    const job::file_size_signal_ignored refusal_is_an_error;
    file_.emplace(bytes_.size(), "static data");
  }
  exchange_pages(pieces, file_->descriptor(), 0);
}

static_data::static_data(const transport::endpoint::common_file& common, std::size_t place,
                         std::size_t places) {
  const std::vector<data_piece> pieces = executable_data();
  if (pieces.empty()) return;
  bytes_ = whole_of(pieces);
  check_stack(bytes_, &pieces);
  lengthen(common.descriptor, offset_in(common, places, bytes_.size()));
  exchange_pages(pieces, kept_open(common.descriptor), offset_in(common, place, bytes_.size()));
}

foreign_static_data::foreign_static_data(int file, std::uint64_t offset, std::size_t bytes)
    : bytes_(bytes) {
  if (bytes == 0) return;
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                            file, static_cast<off_t>(offset));
  if (mapped == MAP_FAILED)
    fail(errc::environment, "mapping of {} KiB of the static data of another PE failed: {}",
         bytes >> 10, refusal_text(errno, refused::memory));
  madvise(mapped, bytes, MADV_DONTDUMP);
  begin_ = static_cast<std::byte*>(mapped);
}

foreign_static_data::foreign_static_data(const transport::endpoint::common_file& common,
                                         std::size_t place, std::size_t bytes)
    : foreign_static_data(common.descriptor, offset_in(common, place, bytes), bytes) {}

foreign_static_data::~foreign_static_data() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

}  // namespace atl::shmem
