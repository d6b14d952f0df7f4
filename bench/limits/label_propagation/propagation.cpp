#include "propagation.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace bench::label_propagation {
namespace {

/// Finds the most frequent label among the neighbours of a vertex. Each thread has its own
/// `counter`.
class counter {
 public:
  vertex most_frequent(std::span<const vertex> neighbours, const vertex* labels, vertex guess) {
    const std::size_t count = neighbours.size();
    if (count == 1) return labels[neighbours[0]];
    if (count == 2) return std::min(labels[neighbours[0]], labels[neighbours[1]]);
    if (found_.size() < count) found_.resize(2 * count);
    std::size_t guessed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      found_[i] = labels[neighbours[i]];
      guessed += found_[i] == guess;
    }
    if (2 * guessed > count) return guess;
    return count <= few ? of_few(count) : of_many(count);
  }

 private:
  static constexpr std::size_t few = 16;

  struct counted {
    vertex label;
    std::uint32_t times;
  };

  vertex of_few(std::size_t count) {
    std::sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count));
    vertex best = found_[0];
    std::size_t most = 0;
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      while (end < count && found_[end] == found_[begin]) ++end;
      if (end - begin > most) most = end - begin, best = found_[begin];
    }
    return best;
  }

  vertex of_many(std::size_t count) {
    const std::size_t size = std::bit_ceil(2 * count);
    const int shift = 64 - std::countr_zero(size);
    if (slots_.size() < size) slots_.resize(size);
    std::fill_n(slots_.begin(), size, counted{0, 0});
    counted best{std::numeric_limits<vertex>::max(), 0};
    for (std::size_t i = 0; i < count; ++i) {
      const vertex label = found_[i];
      std::size_t at = (label * 0x9e3779b97f4a7c15u) >> shift;
      while (slots_[at].times != 0 && slots_[at].label != label) at = (at + 1) & (size - 1);
      const counted now{label, slots_[at].times + 1};
      slots_[at] = now;
      if (now.times > best.times || (now.times == best.times && label < best.label)) best = now;
    }
    return best.label;
  }

  std::vector<vertex> found_;
  std::vector<counted> slots_;
};

}  // namespace

propagation::propagation(const csr& graph)
    : graph_(graph), labels_(graph.vertices()), next_(graph.vertices()) {
  labels_.touch();
  next_.touch();
}

/// Computes the next labels, and returns the number of labels that have changed.
std::uint64_t propagation::renew() {
  const bool all_differ = iterations_ == 0;
  std::uint64_t changed = 0;
#pragma omp parallel reduction(+ : changed)
  {
    counter count;
#pragma omp for schedule(dynamic, 1024)
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const auto v = static_cast<vertex>(i);
      const auto neighbours = graph_.neighbours(v);
      next_[i] = labels_[i];
      if (neighbours.empty()) continue;
      if (all_differ)
        next_[i] = *std::min_element(neighbours.begin(), neighbours.end());
      else
        next_[i] = count.most_frequent(neighbours, labels_.data(), labels_[i]);
      changed += next_[i] != labels_[i];
    }
  }
  return changed;
}

void propagation::run(std::uint64_t iterations) {
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < labels_.size(); ++v) labels_[v] = static_cast<vertex>(v);
  iterations_ = 0;
  while (iterations_ < iterations) {
    const std::uint64_t changed = renew();
    std::swap(labels_, next_);
    ++iterations_;
    if (changed == 0) break;
  }
}

}  // namespace bench::label_propagation
