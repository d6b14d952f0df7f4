#include "atoll/shmem/static_data.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/process_limits.hpp"
#include "atoll/job/signal_scope.hpp"
#include "atoll/shmem/executable_data.hpp"
#include "atoll/shmem/page_exchange.hpp"
#include "atoll/shmem/private_copies.hpp"

#include <csignal>
#include <cstdint>
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

refused_exchange exchange_pages(const std::vector<data_piece>& pieces, int file) {
  page_exchange exchange(file, pieces.front().begin);
  const job::blocked_signals later(all_signals());
  return exchange.run(pieces.data(), pieces.size());
}

}  // namespace

static_data::static_data() {
  const std::vector<data_piece> pieces = executable_data();
  if (pieces.empty()) return;
  bytes_ = {pieces.front().begin, pieces.back().end};
  ATOLL_ASSERT(!is_within(bytes_, &pieces),
               "static data cannot be shared by who runs on a stack that lies in it");
  {
    const job::file_size_signal_ignored refusal_is_an_error;
    file_.emplace(bytes_.size(), "static data");
  }
  const auto refused_call = exchange_pages(pieces, file_->descriptor());
  if (refused_call.call != nullptr)
    fail(errc::environment, "{} of {} KiB of static data failed: {}", refused_call.call,
         refused_call.bytes >> 10, refusal_text(refused_call.reason, refused::memory));
  for (const data_piece& piece : pieces)
    copy_in_children({piece.begin, static_cast<std::size_t>(piece.end - piece.begin),
                      piece.protection, file_->descriptor(), piece.begin - bytes_.data()});
}

foreign_static_data::foreign_static_data(const transport::shm::foreign_memory& file,
                                         std::size_t size) {
  if (size != 0) file_.emplace(file, size, "the static data of another PE");
}

}  // namespace atl::shmem
