#include "afforest.hpp"

#include <algorithm>
#include <atomic>
#include <random>
#include <unordered_map>

namespace bench::cc {
namespace {

// The algorithm links each vertex with its first neighbour. If fewer than `common` of `samples`
// sampled vertices have the same label after that step, the algorithm also links each vertex with
// its second neighbour.
constexpr std::uint32_t most_neighbours = 2;
constexpr std::uint32_t samples = 1024, common = samples / 4;

}  // namespace

afforest::afforest(const csr& graph) : graph_(graph), labels_(graph.vertices()) { labels_.touch(); }

void afforest::run() {
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < labels_.size(); ++v) labels_[v] = static_cast<vertex>(v);
  std::uint32_t linked = 0;
  sampled giant{};
  while (linked < most_neighbours && giant.times < common) {
    link_neighbours(linked++);
    compress();
    giant = commonest_of_sample();
  }
  link_rest(giant.label, linked);
  compress();
}

/// Makes the larger of two roots a child of the smaller root.
void afforest::link(vertex u, vertex v) {
  const auto load = [&](vertex of) {
    return std::atomic_ref(labels_[of]).load(std::memory_order_relaxed);
  };
  vertex a = load(u), b = load(v);
  while (a != b) {
    const vertex high = std::max(a, b), low = std::min(a, b);
    vertex above = load(high);
    if (above == low) return;
    if (above == high && std::atomic_ref(labels_[high]).compare_exchange_strong(above, low)) return;
    a = load(load(high));
    b = load(low);
  }
}

void afforest::link_neighbours(std::uint32_t number) {
#pragma omp parallel for schedule(dynamic, 16384)
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const auto u = static_cast<vertex>(i);
    if (graph_.degree(u) > number) link(u, graph_.neighbours(u)[number]);
  }
}

void afforest::link_rest(vertex giant, std::uint32_t linked) {
#pragma omp parallel for schedule(dynamic, 16384)
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const auto u = static_cast<vertex>(i);
    if (std::atomic_ref(labels_[u]).load(std::memory_order_relaxed) == giant) continue;
    if (graph_.degree(u) <= linked) continue;
    for (const vertex v : graph_.neighbours(u).subspan(linked)) link(u, v);
  }
}

void afforest::compress() {
#pragma omp parallel for schedule(dynamic, 16384)
  for (std::size_t v = 0; v < labels_.size(); ++v) {
    const std::atomic_ref mine(labels_[v]);
    auto label = mine.load(std::memory_order_relaxed);
    for (;;) {
      const auto above = std::atomic_ref(labels_[label]).load(std::memory_order_relaxed);
      if (above == label) break;
      mine.store(label = above, std::memory_order_relaxed);
    }
  }
}

afforest::sampled afforest::commonest_of_sample() const {
  std::mt19937 random(samples);
  std::uniform_int_distribution<std::size_t> any(0, labels_.size() - 1);
  std::unordered_map<vertex, std::uint32_t> counts;
  for (std::uint32_t i = 0; i < samples; ++i) ++counts[labels_[any(random)]];
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [label, times] = *std::max_element(counts.begin(), counts.end(), fewer);
  return {label, times};
}

}  // namespace bench::cc
