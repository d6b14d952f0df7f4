#include "search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>

namespace bench::bfs {
namespace {

// Bottom-up search begins when the frontier has more than 1/alpha of the unexplored arcs. Bottom-up
// search ends when the frontier has fewer than 1/beta of the vertices.
constexpr std::uint64_t alpha = 15, beta = 18;
constexpr auto isolated = std::numeric_limits<std::int32_t>::min();

/// Collects a thread's part of the next frontier. Space in the queue is reserved for many vertices
/// at once, because each reservation is an atomic operation.
class queue_writer {
 public:
  queue_writer(vertex* queue, std::size_t& end) : queue_(queue), end_(end) {}
  ~queue_writer() { flush(); }
  void push(vertex v) {
    if (count_ == buffer_.size()) flush();
    buffer_[count_++] = v;
  }

 private:
  void flush() {
    const auto place = std::atomic_ref(end_).fetch_add(count_, std::memory_order_relaxed);
    std::copy_n(buffer_.data(), count_, queue_ + place);
    count_ = 0;
  }
  vertex* queue_;
  std::size_t& end_;
  std::size_t count_ = 0;
  std::array<vertex, 4096> buffer_;
};

}  // namespace

searcher::searcher(const csr& graph)
    : graph_(graph),
      parents_(graph.vertices()),
      initial_parents_(graph.vertices()),
      queue_(graph.vertices()),
      front_((graph.vertices() + 63) / 64),
      next_(front_.size()),
      unreached_(front_.size()) {
  for (vertex v = 0; v < graph.vertices(); ++v) {
    const auto degree = static_cast<std::int32_t>(graph.degree(v));
    initial_parents_[v] = degree == 0 ? isolated : -degree;
  }
  for (const auto* array : {&front_, &next_, &unreached_}) array->touch();
  parents_.touch();
  queue_.touch();
}

void searcher::run(vertex root) {
  start(root);
  std::uint64_t arcs_left = graph_.arcs();
  std::uint64_t frontier_arcs = graph_.degree(root);
  while (queue_begin_ != queue_end_) {
    if (frontier_arcs > arcs_left / alpha) {
      bottom_up_until_small(queue_end_ - queue_begin_);
      frontier_arcs = 1;
    } else {
      arcs_left -= frontier_arcs;
      frontier_arcs = top_down();
    }
  }
}

void searcher::start(vertex root) {
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < parents_.size(); ++v) parents_[v] = initial_parents_[v];
  parents_[root] = static_cast<std::int32_t>(root);
  queue_[0] = root;
  queue_begin_ = 0;
  queue_end_ = 1;
}

/// Performs one level top-down. Returns the number of arcs of the new frontier.
std::uint64_t searcher::top_down() {
  const auto level_end = queue_end_;
  std::uint64_t arcs = 0;
#pragma omp parallel reduction(+ : arcs)
  {
    queue_writer writer(queue_.data(), queue_end_);
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t i = queue_begin_; i < level_end; ++i) {
      const vertex u = queue_[i];
      for (const vertex v : graph_.neighbours(u)) {
        const std::atomic_ref parent(parents_[v]);
        auto before = parent.load(std::memory_order_relaxed);
        if (before >= 0) continue;
        if (parent.compare_exchange_strong(before, static_cast<std::int32_t>(u))) {
          writer.push(v);
          arcs += static_cast<std::uint32_t>(-before);
        }
      }
    }
  }
  queue_begin_ = level_end;
  return arcs;
}

void searcher::bottom_up_until_small(std::uint64_t frontier_size) {
  queue_to_bitmap();
  std::uint64_t size_before;
  do {
    size_before = frontier_size;
    frontier_size = bottom_up();
    std::swap(front_, next_);
  } while (frontier_size >= size_before || frontier_size > graph_.vertices() / beta);
  bitmap_to_queue();
}

/// Performs one level bottom-up. Returns the size of the new frontier, which is in `next_`.
std::uint64_t searcher::bottom_up() {
  std::uint64_t size = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : size)
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const auto found = parents_of(i);
    next_[i] = found;
    unreached_[i] &= ~found;
    size += static_cast<std::uint64_t>(std::popcount(found));
  }
  return size;
}

/// Searches parents for the unreached vertices of one word of the bitmap.
searcher::word searcher::parents_of(std::size_t index) {
  word found = 0;
  for (word left = unreached_[index]; left != 0; left &= left - 1) {
    const auto bit = std::countr_zero(left);
    const auto u = static_cast<vertex>(index * 64 + static_cast<unsigned>(bit));
    for (const vertex v : graph_.neighbours(u)) {
      if ((front_[v / 64] >> (v % 64)) & 1) {
        parents_[u] = static_cast<std::int32_t>(v);
        found |= word{1} << bit;
        break;
      }
    }
  }
  return found;
}

/// Converts the queue to a bitmap. Also collects the unreached vertices for bottom-up search.
void searcher::queue_to_bitmap() {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < front_.size(); ++i) {
      front_[i] = 0;
      const auto first = i * 64, last = std::min(first + 64, parents_.size());
      word unreached = 0;
      for (auto v = first; v < last; ++v) {
        unreached |= word{parents_[v] < 0 && parents_[v] != isolated} << (v - first);
      }
      unreached_[i] = unreached;
    }
#pragma omp for schedule(static)
    for (std::size_t i = queue_begin_; i < queue_end_; ++i) {
      const std::atomic_ref bits(front_[queue_[i] / 64]);
      bits.fetch_or(word{1} << (queue_[i] % 64), std::memory_order_relaxed);
    }
  }
}

void searcher::bitmap_to_queue() {
  queue_begin_ = queue_end_ = 0;
#pragma omp parallel
  {
    queue_writer writer(queue_.data(), queue_end_);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < front_.size(); ++i) {
      for (word left = front_[i]; left != 0; left &= left - 1) {
        writer.push(static_cast<vertex>(i * 64 + static_cast<unsigned>(std::countr_zero(left))));
      }
    }
  }
}

}  // namespace bench::bfs
