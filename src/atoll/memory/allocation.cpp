#include "atoll/memory/loops.hpp"

namespace atoll::memory {
namespace {

/// An allocation on PE 0, as it travels back: errors keep their code.
struct granted {
  std::uint64_t offset = 0;
  bool refused = false;
  std::array<char, 400> reason{};
};

granted allocate_here(std::uint64_t bytes, placement where) {
  granted result;
  try {
    result.offset = this_pe().memory->allocate(bytes, where);
  } catch (const error& refusal) {
    result.refused = true;
    const std::string_view text = refusal.what();
    text.copy(result.reason.data(), result.reason.size() - 1);
  }
  return result;
}

}  // namespace

task<std::uint64_t> allocate_everywhere(std::uint64_t bytes, placement where) {
  const granted result =
      co_await call(0, [bytes, where] { return allocate_here(bytes, where); });
  if (result.refused) throw error(errc::out_of_memory, result.reason.data());
  co_return result.offset;
}

task<> release_everywhere(std::uint64_t offset, std::uint64_t bytes) {
  co_await on_all_pes([offset, bytes] { this_pe().memory->discard(offset, bytes); });
  co_await call(0, [offset, bytes] { this_pe().memory->release(offset, bytes); });
}

}  // namespace atoll::memory
