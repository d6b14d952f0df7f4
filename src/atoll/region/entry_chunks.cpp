#include "atoll/region/entry_chunks.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/huge_page.hpp"
#include "atoll/base/stream_line.hpp"

namespace atl::regions {
namespace {

constexpr std::uint64_t k_smallest_piece = std::uint64_t{64} << 10;

}  // namespace

std::byte* chunk_memory::take(std::size_t bytes) {
  const std::uint64_t whole = round_up<std::uint64_t>(bytes, k_cache_line);
  if (whole > left_) {
    const auto piece =
        std::clamp<std::uint64_t>(bytes_, std::max(whole, k_smallest_piece), 2 * k_huge_page);
    pieces_.emplace_back(std::max(piece, whole));
    next_ = pieces_.back().data();
    left_ = pieces_.back().bytes();
    bytes_ += left_;
  }
  std::byte* const taken = next_;
  next_ += whole;
  left_ -= whole;
  return taken;
}

}  // namespace atl::regions
