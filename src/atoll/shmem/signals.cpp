// Put with signal of OpenSHMEM 1.5. A call puts data to a PE, and then changes a signal word on the
// same PE. A program that sees the changed word also sees the data.

#include "atoll/shmem/include/shmem/rma.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/meeting.hpp"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

#include <fmt/format.h>

namespace atl::shmem {
namespace {

struct signal_word {
  std::uint64_t* at;
  std::uint64_t value;
  int operation;
};

atomic_kind kind_of(const char* call, int operation) {
  if (operation == SHMEM_SIGNAL_SET) return atomic_kind::store;
  if (operation == SHMEM_SIGNAL_ADD) return atomic_kind::add;
  refuse(call,
         fmt::format("sig_op {} is neither SHMEM_SIGNAL_SET nor SHMEM_SIGNAL_ADD", operation));
}

void put_with_signal(const char* call, void* dest, const void* source, std::size_t bytes,
                     const signal_word& signal, int pe, bool lasts) {
  const auto kind = kind_of(call, signal.operation);
  const auto to = locate(call, dest, bytes, pe);
  const auto word = locate_word(call, signal.at, pe);
  const auto* const from = static_cast<const std::byte*>(source);
  if (to.reached == nullptr) {
    const transport::signal_update behind{word.place.offset, memory::operation(kind, signal.value)};
    return put_far(call, to.place, {from, bytes}, lasts, &behind);
  }
  copy_near(to.reached, from, bytes);
  if (kind == atomic_kind::store)
    memory::apply_here<atomic_kind::store>(word.reached, signal.value, std::uint64_t{});
  else
    memory::apply_here<atomic_kind::add>(word.reached, signal.value, std::uint64_t{});
  stored_to(pe);
}

}  // namespace

namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
void put_signal(const char* call, void* dest, const void* source, std::size_t elements,
                std::uint64_t* at, std::uint64_t value, int operation, int pe) {
  put_with_signal(call, dest, source, bytes_of(call, elements, sizeof(T)), {at, value, operation},
                  pe, false);
}

template <class T>
void put_signal_nbi(const char* call, void* dest, const void* source, std::size_t elements,
                    std::uint64_t* at, std::uint64_t value, int operation, int pe) {
  put_with_signal(call, dest, source, bytes_of(call, elements, sizeof(T)), {at, value, operation},
                  pe, true);
}

}  // namespace ATOLL_SHMEM_HIDDEN calls
}  // namespace atl::shmem

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_SIGNAL, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_SIGNAL_SIZED, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_SIGNAL_MEM(ATOLL_SHMEM_DEFINE_BOTH)

ATOLL_SHMEM_DEFINE(uint64_t, shmem_signal_fetch, (const uint64_t* sig_addr)) {
  return atl::shmem::look(sig_addr);
}
