#pragma once
// Arcs that have arrived at a PE in any order. Arcs are collected in bins, and each bin has a range
// of rows. The range of a bin is small, so that its rows stay in cache while they are made. The
// number of a row within its bin needs only 16 bits. The arcs of a bin are freed as soon as its
// rows are made.

#include "atoll/error.hpp"
#include "atoll/graph/fresh_pages.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace atl::graph {

/// `Target` is the type of the data that is stored for an arc besides its row.
template <class Target>
class row_bins {
 public:
  /// Prepares the bins for at most `arcs` arcs in `rows` rows. The caller must call this function
  /// before the first arc arrives. Throws `std::bad_alloc` if memory is exhausted.
  void prepare(std::uint64_t rows, std::uint64_t arcs) {
    rows_ = rows;
    shift_ = shift_for(rows);
    bins_.assign((rows >> shift_) + 1, {});
    const std::uint64_t usual = arcs / bins_.size() / k_chunks;
    chunk_arcs_ = std::max<std::uint64_t>(usual * k_arc_bytes / k_page, 1) * k_page / k_arc_bytes;
    chunk_bytes_ = (chunk_arcs_ * k_arc_bytes + k_page - 1) / k_page * k_page;
    chunks_ = arcs / chunk_arcs_ + bins_.size();
    taken_ = 0;
    pages_ = map_fresh_pages(chunks_ * chunk_bytes_);
    if (chunk_bytes_ < k_huge_page)
      ::madvise(pages_.get(), chunks_ * chunk_bytes_, MADV_NOHUGEPAGE);
  }

  void add(std::uint64_t row, Target target) {
    bin& to = bins_[row >> shift_];
    if (to.room == 0) extend(to);
    --to.room;
    *to.next_row++ = static_cast<std::uint16_t>(row & ((std::uint64_t{1} << shift_) - 1));
    *to.next_target++ = target;
  }

  std::uint64_t count() const { return bins_.size(); }
  std::uint64_t first_row(std::uint64_t b) const { return std::min(rows_, b << shift_); }

  std::uint64_t arcs(std::uint64_t b) const {
    return bins_[b].chunks.size() * chunk_arcs_ - bins_[b].room;
  }
  std::uint64_t chunks(std::uint64_t b) const { return bins_[b].chunks.size(); }

  /// Calls `visit(row, target)` for the arcs of one chunk of a bin. `row` counts from the first row
  /// of the bin.
  template <class Visit>
  void for_each_arc(std::uint64_t b, std::uint64_t chunk, Visit visit) const {
    const bin& of = bins_[b];
    const std::uint64_t arcs = chunk_arcs_ - (chunk + 1 == of.chunks.size() ? of.room : 0);
    const Target* const targets = targets_of(of.chunks[chunk]);
    const std::uint16_t* const rows = rows_of(of.chunks[chunk]);
    for (std::uint64_t i = 0; i < arcs; ++i) visit(rows[i], targets[i]);
  }

  /// Frees the memory of the arcs of a bin, which are no longer needed.
  void give_back(std::uint64_t b) {
    for (const std::uint64_t chunk : bins_[b].chunks)
      ::madvise(pages_.get() + chunk * chunk_bytes_, chunk_bytes_, MADV_DONTNEED);
    bins_[b] = {};
  }

  /// Frees all bins.
  void clear() {
    bins_ = {};
    pages_.reset();
  }

 private:
  static constexpr std::uint64_t k_arc_bytes = sizeof(Target) + sizeof(std::uint16_t);
  /// Number of bins on a PE. There are fewer bins if there are fewer rows, and more if row numbers
  /// would not fit in 16 bits.
  static constexpr std::uint64_t k_bins = 64;
  /// Number of memory chunks that a bin of average size fills. On average, half a chunk per bin
  /// stays unused.
  static constexpr std::uint64_t k_chunks = 16;

  struct bin {
    Target* next_target = nullptr;
    std::uint16_t* next_row = nullptr;
    std::uint64_t room = 0;
    std::vector<std::uint64_t> chunks;
  };

  static unsigned shift_for(std::uint64_t rows) {
    constexpr int least = 6, most = 16;
    return static_cast<unsigned>(std::clamp<int>(std::bit_width(rows / k_bins) - 1, least, most));
  }

  Target* targets_of(std::uint64_t chunk) const {
    return reinterpret_cast<Target*>(pages_.get() + chunk * chunk_bytes_);
  }
  std::uint16_t* rows_of(std::uint64_t chunk) const {
    return reinterpret_cast<std::uint16_t*>(targets_of(chunk) + chunk_arcs_);
  }

  void extend(bin& to) {
    ATOLL_ASSERT(taken_ < chunks_, "no more arcs arrive than were counted");
    to.chunks.push_back(taken_);
    to.next_target = targets_of(taken_);
    to.next_row = rows_of(taken_);
    to.room = chunk_arcs_;
    ++taken_;
  }

  std::uint64_t rows_ = 0;
  unsigned shift_ = 0;
  std::vector<bin> bins_;
  std::uint64_t chunk_arcs_ = 0, chunk_bytes_ = 0, chunks_ = 0, taken_ = 0;
  fresh_pages pages_;
};

}  // namespace atl::graph
