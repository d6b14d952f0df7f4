#include "csr.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>

namespace bench::bfs {
namespace {

std::uint32_t fetch_add(std::uint32_t& counter, std::uint32_t value) {
  return std::atomic_ref(counter).fetch_add(value, std::memory_order_relaxed);
}

/// Replaces each counts[i] by the sum of all elements before it. The last element must be 0 and
/// gets the sum of all counts.
void exclusive_sum(const huge_array<std::uint32_t>& counts) {
  std::uint32_t sum = 0;
  for (auto& count : counts) count = std::exchange(sum, sum + count);
}

}  // namespace

csr::csr(std::uint64_t vertices, std::span<const input_edge> edges) : offsets_(vertices + 1) {
  constexpr auto most = std::uint64_t{1} << 31;
  if (vertices >= most || edges.size() >= most) throw std::runtime_error("the graph is too large");
  scatter(edges);
  remove_duplicates();
  order_by_degree();
}

/// Stores both directions of every edge, unsorted.
void csr::scatter(std::span<const input_edge> edges) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].from == edges[i].to) continue;
    fetch_add(offsets_[edges[i].from], 1);
    fetch_add(offsets_[edges[i].to], 1);
  }
  exclusive_sum(offsets_);
  targets_ = huge_array<vertex>(arcs());
  huge_array<std::uint32_t> place(offsets_.size());
  std::copy(offsets_.begin(), offsets_.end(), place.begin());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].from == edges[i].to) continue;
    targets_[fetch_add(place[edges[i].from], 1)] = edges[i].to;
    targets_[fetch_add(place[edges[i].to], 1)] = edges[i].from;
  }
}

void csr::remove_duplicates() {
  huge_array<std::uint32_t> kept(offsets_.size());
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t v = 0; v < vertices(); ++v) {
    auto* const first = targets_.data() + offsets_[v];
    auto* const last = targets_.data() + offsets_[v + 1];
    std::sort(first, last);
    kept[v] = static_cast<std::uint32_t>(std::unique(first, last) - first);
  }
  exclusive_sum(kept);
  huge_array<vertex> compact(kept[vertices()]);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t v = 0; v < vertices(); ++v) {
    std::copy_n(targets_.data() + offsets_[v], kept[v + 1] - kept[v], compact.data() + kept[v]);
  }
  offsets_ = std::move(kept);
  targets_ = std::move(compact);
}

void csr::order_by_degree() {
  huge_array<std::uint8_t> digits(vertices());
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < vertices(); ++v)
    digits[v] = static_cast<std::uint8_t>(std::bit_width(degree(static_cast<vertex>(v))));
  const auto before = [&](vertex a, vertex b) {
    return digits[a] != digits[b] ? digits[a] > digits[b] : a < b;
  };
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t v = 0; v < vertices(); ++v)
    std::sort(targets_.data() + offsets_[v], targets_.data() + offsets_[v + 1], before);
}

}  // namespace bench::bfs
