#include "atoll/graph/io/bvgraph/bit_writer.hpp"

#include <algorithm>

namespace atl::graph::bvgraph {
namespace {

constexpr unsigned k_half = 64;

}  // namespace

void bit_writer::put(const code_word& word) {
  for (auto zeros = word.zeros; zeros > 0;) {
    const auto some = std::min<std::uint64_t>(zeros, k_half);
    put_bits(0, static_cast<unsigned>(some));
    zeros -= some;
  }
  if (word.tail_bits > k_half)
    put_bits(static_cast<std::uint64_t>(word.tail >> k_half), word.tail_bits - k_half);
  put_bits(static_cast<std::uint64_t>(word.tail), std::min(word.tail_bits, k_half));
}

void bit_writer::put_bits(std::uint64_t value, unsigned count) {
  open_ = open_ << count | value;
  open_bits_ += count;
  written_ += count;
  take_bytes();
}

void bit_writer::take_bytes() {
  while (open_bits_ >= 8) {
    open_bits_ -= 8;
    bytes_ += static_cast<char>(static_cast<unsigned char>(open_ >> open_bits_));
  }
  if (bytes_.size() < buffer_bytes) return;
  target_(bytes_);
  bytes_.clear();
}

void bit_writer::finish() {
  if (open_bits_ > 0) {
    open_ <<= 8 - open_bits_;
    open_bits_ = 8;
  }
  take_bytes();
  target_(bytes_);
  bytes_.clear();
}

}  // namespace atl::graph::bvgraph
