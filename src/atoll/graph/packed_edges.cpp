#include "atoll/graph/packed_edges.hpp"

#include <algorithm>
#include <bit>

namespace atl {
namespace {

constexpr std::size_t k_least_slab = std::size_t{64} << 10;
constexpr std::size_t k_largest_slab = 2 * k_huge_page;

/// Writes numbers one after the other, each with a given number of bits.
class bit_writer {
 public:
  explicit bit_writer(std::byte* to) : to_(to) {}

  void put(std::uint64_t number, unsigned bits) {
    word_ |= number << filled_;
    filled_ += bits;
    if (filled_ < 64) return;
    end();
    filled_ -= 64;
    const unsigned written = bits - filled_;
    word_ = written < 64 ? number >> written : 0;
  }

  /// The caller must call this function once, after the last number.
  void end() {
    std::memcpy(to_, &word_, sizeof word_);
    to_ += sizeof word_;
  }

 private:
  std::byte* to_;
  std::uint64_t word_ = 0;
  unsigned filled_ = 0;
};

/// Returns the number of bytes for `bits` bits. The result includes the bytes behind the bits,
/// because `bits_at` may read them.
std::size_t bytes_for(std::size_t bits) { return (bits / 64 + 2) * sizeof(std::uint64_t); }

unsigned bits_between(std::uint64_t least, std::uint64_t most) {
  const auto bits = static_cast<unsigned>(std::bit_width(most - least));
  return bits > 56 ? 64 : bits;
}

/// Rounds a number of bits up to a multiple of 8.
unsigned whole_bytes(unsigned bits) { return (bits + 7) / 8 * 8; }

struct range_of_ends {
  edge least, most;

  explicit range_of_ends(std::span<const edge> edges) : least(edges[0]), most(edges[0]) {
    for (const edge& each : edges) {
      least = {std::min(least.from, each.from), std::min(least.to, each.to)};
      most = {std::max(most.from, each.from), std::max(most.to, each.to)};
    }
  }
};

}  // namespace

void packed_edges::add(std::span<const edge> edges, std::span<const std::int64_t> weights,
                       weight_kind kind) {
  if (edges.empty()) return;
  if (size_ == 0) weighted_ = !weights.empty();
  if (kind == weight_kind::real && kind_ != kind) {
    for (std::int64_t& each : waiting_weights_)
      each = std::bit_cast<std::int64_t>(static_cast<double>(each));
    kind_ = kind;
  }
  while (!edges.empty()) {
    const std::size_t some = std::min(edges.size(), k_block - waiting_.size());
    waiting_.insert(waiting_.end(), edges.begin(),
                    edges.begin() + static_cast<std::ptrdiff_t>(some));
    edges = edges.subspan(some);
    const auto with = weights.first(std::min(some, weights.size()));
    waiting_weights_.insert(waiting_weights_.end(), with.begin(), with.end());
    weights = weights.subspan(with.size());
    size_ += some;
    if (waiting_.size() == k_block) pack();
  }
}

void packed_edges::settle() {
  if (!waiting_.empty()) pack();
  std::vector<edge>().swap(waiting_);
  std::vector<std::int64_t>().swap(waiting_weights_);
}

void packed_edges::pack() {
  const range_of_ends range(waiting_);
  block made{};
  made.least = range.least;
  made.kind = kind_;
  made.from_bits = bits_between(range.least.from, range.most.from);
  unsigned to_bits = bits_between(range.least.to, range.most.to);
  if (std::max(made.from_bits, to_bits) == 64) {
    // `bits_at` reads 64 bits only from the beginning of a byte.
    made.from_bits = whole_bytes(made.from_bits);
    to_bits = whole_bytes(to_bits);
  }
  made.edge_bits = made.from_bits + to_bits;
  vertices_ = std::max({vertices_, range.most.from + 1, range.most.to + 1});
  least_vertex_ = std::min({least_vertex_, range.least.from, range.least.to});
  const bool weighs = weighted_ && waiting_weights_.size() == waiting_.size();
  if (weighs) {
    const auto [least, most] = std::ranges::minmax(waiting_weights_);
    made.least_weight = static_cast<std::uint64_t>(least);
    made.weight_bits = bits_between(made.least_weight, static_cast<std::uint64_t>(most));
  }
  const std::size_t of_edges = bytes_for(waiting_.size() * made.edge_bits);
  std::byte* const room = room_for(of_edges + bytes_for(waiting_.size() * made.weight_bits));
  made.bits = room;
  made.weights = room + of_edges;
  bit_writer ends(room);
  for (const edge& each : waiting_) {
    ends.put(each.from - made.least.from, made.from_bits);
    ends.put(each.to - made.least.to, made.edge_bits - made.from_bits);
  }
  ends.end();
  bit_writer weights(room + of_edges);
  if (weighs)
    for (const std::int64_t each : waiting_weights_)
      weights.put(static_cast<std::uint64_t>(each) - made.least_weight, made.weight_bits);
  weights.end();
  blocks_.push_back(made);
  slabs_.back().blocks_before = blocks_.size();
  waiting_.clear();
  waiting_weights_.clear();
}

std::byte* packed_edges::room_for(std::size_t bytes) {
  if (slabs_.empty() || used_ + bytes > slabs_.back().pages.get_deleter().bytes) {
    const std::size_t held = slabs_.empty() ? 0 : slabs_.back().pages.get_deleter().bytes;
    const std::size_t size = std::max(bytes, std::clamp(2 * held, k_least_slab, k_largest_slab));
    slabs_.push_back({graph::map_fresh_pages(size), blocks_.size()});
    used_ = 0;
  }
  std::byte* const room = slabs_.back().pages.get() + used_;
  used_ += bytes;
  return room;
}

void packed_edges::forget_until(std::uint64_t i) {
  const std::uint64_t blocks = i == size_ ? blocks_.size() : i / k_block;
  while (forgotten_slabs_ < slabs_.size() && slabs_[forgotten_slabs_].blocks_before <= blocks)
    slabs_[forgotten_slabs_++].pages.reset();
}

std::uint64_t packed_edges::bytes() const {
  std::uint64_t sum = blocks_.size() * sizeof(block);
  for (const slab& each : slabs_)
    if (each.pages) sum += each.pages.get_deleter().bytes;
  return sum;
}

std::vector<edge> packed_edges::all() const {
  std::vector<edge> edges;
  edges.reserve(size_);
  for (std::uint64_t i = 0; i < size_; ++i) edges.push_back((*this)(i));
  return edges;
}

}  // namespace atl
