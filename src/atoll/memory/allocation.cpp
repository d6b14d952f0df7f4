#include "atoll/log.hpp"
#include "atoll/loops.hpp"

namespace atl::memory {
namespace {

/// The result of an allocation on PE 0, which PE 0 sends to the calling PE. If the allocation is
/// refused, `reason` is the text of the error.
struct granted {
  std::uint64_t offset = 0;
  std::uint64_t serial = 0;
  bool refused = false;
  std::array<char, 400> reason{};
};

granted allocate_here(std::uint64_t bytes, placement where, std::uint64_t charged) {
  granted result;
  try {
    result.offset = this_pe().memory->allocate(bytes, where, charged);
    result.serial = this_pe().memory->next_serial();
  } catch (const error& refusal) {
    result.refused = true;
    const std::string_view text = refusal.what();
    text.copy(result.reason.data(), result.reason.size() - 1);
  }
  return result;
}

task<> admit_everywhere(const granted& of, std::uint64_t bytes, site where) {
  const auto admit = [offset = of.offset, serial = of.serial, bytes] {
    this_pe().memory->admit(offset, bytes, serial);
  };
  const auto tell_all = [&] {
    for (int pe = 0; pe < pes(); ++pe) async_call(pe, admit, where);
  };
  co_await finish(tell_all, where);
}

}  // namespace

void check_addressable(std::uint64_t rows, std::uint64_t block, std::uint64_t object_bytes) {
  if (rows == 0 || block < k_symmetric / object_bytes / rows) return;
  const double bytes =
      static_cast<double>(rows) * static_cast<double>(block) * static_cast<double>(object_bytes);
  fail(errc::out_of_memory,
       "out of memory: a global array needs {} on each of {} PEs; more than {} cannot be addressed",
       human_bytes(bytes), pes(), human_bytes(static_cast<double>(k_symmetric)));
}

task<std::uint64_t> allocate_everywhere(std::uint64_t bytes, placement placed, site where,
                                        std::uint64_t charged) {
  const auto allocate = [bytes, placed, charged] { return allocate_here(bytes, placed, charged); };
  const granted result = co_await call(0, allocate, where);
  if (result.refused) throw error(errc::out_of_memory, result.reason.data());
  const std::uint64_t offset = result.offset;
  std::exception_ptr failure;
  try {
    co_await admit_everywhere(result, bytes, where);
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return offset;
  co_await release_everywhere(offset, bytes, where, charged);
  std::rethrow_exception(failure);
}

task<> release_everywhere(std::uint64_t offset, std::uint64_t bytes, site where,
                          std::uint64_t charged) {
  const auto discard = [offset, bytes, charged] {
    this_pe().memory->discard(offset, bytes, charged);
  };
  co_await on_all_pes(discard, where);
  co_await call(0, [offset] { this_pe().memory->release(offset); }, where);
}

}  // namespace atl::memory
