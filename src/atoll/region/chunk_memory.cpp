#include "atoll/region/chunk_memory.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/memory_account.hpp"
#include "atoll/base/pages_and_lines.hpp"
#include "atoll/base/stream_line.hpp"
#include "atoll/region/instance_table.hpp"

#include <algorithm>
#include <new>

namespace atl::regions {
namespace {

// A list beyond this is a long one, which wants huge pages.
constexpr std::uint64_t k_most_small = std::uint64_t{1} << 20;

}  // namespace

std::unique_ptr<chunk_pool::piece> chunk_pool::take() {
  if (size_ > 0) return std::move(spare_[--size_]);
  return std::unique_ptr<piece>(new piece);  // not filled with zeros
}

void chunk_pool::give_back(std::unique_ptr<piece> used) noexcept {
  if (size_ < k_most) spare_[size_++] = std::move(used);
}

chunk_memory::chunk_memory()
    : account_(*this_pe().account), pool_(instance_table::here().chunks()) {}

chunk_memory::~chunk_memory() {
  account_.release(small_.size() * chunk_pool::k_piece);
  for (auto& piece : small_) pool_->give_back(std::move(piece));
}

void chunk_memory::add_piece(std::uint64_t bytes) {
  if (bytes > chunk_pool::k_piece || bytes_ >= k_most_small) {
    large_.emplace_back(std::max(bytes, std::clamp(bytes_, k_most_small, 2 * k_huge_page)));
    next_ = large_.back().data();
    left_ = large_.back().bytes();
  } else {
    account_.charge(chunk_pool::k_piece);
    try {
      small_.push_back(pool_->take());
    } catch (...) {
      account_.release(chunk_pool::k_piece);
      throw;
    }
    next_ = small_.back()->bytes.data();
    left_ = chunk_pool::k_piece;
  }
  bytes_ += left_;
}

std::byte* chunk_memory::take(std::size_t bytes) {
  const std::uint64_t whole = round_up<std::uint64_t>(bytes, k_cache_line);
  if (whole > left_) add_piece(whole);
  std::byte* const taken = next_;
  next_ += whole;
  left_ -= whole;
  return taken;
}

}  // namespace atl::regions
