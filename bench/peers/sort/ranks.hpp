#pragma once
// Implements the NAS benchmark IS (integer sort) as is usual with MPI. Each process sorts its keys
// into buckets, and the processes exchange the sizes of the buckets. One MPI_Alltoallv moves the
// buckets to their processes, which count the keys by value.

#include "atoll/random.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "support/huge_array.hpp"

namespace bench::sort {

using key = std::uint32_t;
using atl::nas_class;

/// Ranks the keys of one process. All processes must call each function together, except for
/// functions whose comment says that a process may call them alone.
class ranks {
 public:
  ranks(const nas_class& of, int rank, int size)
      : of_(of),
        rank_(static_cast<std::uint64_t>(rank)),
        size_(static_cast<std::uint64_t>(size)),
        shift_(of.bits > bucket_bits() ? of.bits - bucket_bits() : 0),
        keys_(first_of(rank_ + 1) - first_of(rank_)),
        staged_(keys_.size()),
        received_(room()),
        sorted_(room()),
        ranks_(of.range() + 1) {
    atl::nas_keys from(of_, first_of(rank_));
    for (key& each : keys_) each = static_cast<key>(from.next());
    for (const auto* each : {&staged_, &received_, &sorted_}) each->touch();
  }

  /// Performs iteration `iteration` (from 1) of the benchmark. Returns the number of tested keys
  /// that this process owns and that have the published rank.
  std::uint64_t rank(std::uint64_t iteration) {
    for (const auto& [index, changed] : atl::nas_changes(of_, iteration))
      if (key* const mine = find(index)) *mine = static_cast<key>(changed);
    move();
    count_values();
    std::uint64_t right = 0;
    for (std::size_t i = 0; i < of_.tests.size(); ++i) {
      const std::uint64_t bucket = tested_[i] >> shift_;
      if (bucket < begin_ || bucket >= end_) continue;
      const std::uint64_t ranked = before_ + ranks_[tested_[i] - (begin_ << shift_)];
      right += static_cast<std::int64_t>(ranked) == of_.tests[i].rank_in(iteration);
    }
    return right;
  }

  /// Ranks all keys and writes this process's keys in order.
  void sort() {
    move();
    count_values();
    const std::uint64_t values = (end_ - begin_) << shift_;
    key* to = sorted_.data();
    for (std::uint64_t value = 0; value < values; ++value)
      for (key* const stop = sorted_.data() + ranks_[value + 1]; to < stop;)
        *to++ = static_cast<key>((begin_ << shift_) + value);
  }

  /// Restores the keys that the iterations have changed. A process may call this function alone.
  void restore() {
    atl::nas_keys from(of_, 0);
    for (std::uint64_t i = 0; i <= 2 * atl::nas_class::iterations; ++i) {
      const auto former = static_cast<key>(from.next());
      if (key* const mine = find(i)) *mine = former;
    }
  }

  std::span<const key> keys() const { return {keys_.data(), keys_.size()}; }
  std::span<const key> sorted() const { return {sorted_.data(), size_received_}; }

 private:
  /// Returns the number of bits that select a bucket, as in `atoll bench sort`.
  unsigned bucket_bits() const {
    unsigned bits = std::max(9u, of_.bits > 22 ? of_.bits - 13 : 9u);
    while (std::uint64_t{1} << bits < 64 * size_) ++bits;
    return std::min(bits, of_.bits);
  }
  std::size_t buckets() const { return std::size_t{1} << (of_.bits - shift_); }
  std::uint64_t first_of(std::uint64_t rank) const { return of_.keys() * rank / size_; }
  /// Returns the largest number of keys that a process can receive. A process receives whole
  /// buckets, and no bucket has more than 3 times an equal share.
  std::size_t room() const {
    return of_.keys() / size_ + 1 + 3 * of_.keys() / (std::uint64_t{1} << bucket_bits());
  }

  key* find(std::uint64_t index) const {
    const std::uint64_t first = first_of(rank_);
    return index >= first && index - first < keys_.size() ? keys_.data() + (index - first)
                                                          : nullptr;
  }

  /// Sorts the keys by bucket, and sends each bucket to its process.
  void move() {
    std::vector<std::uint64_t> counts(buckets() + of_.tests.size());
    for (const key each : keys_) ++counts[each >> shift_];
    for (std::size_t i = 0; i < of_.tests.size(); ++i)
      if (const key* const mine = find(of_.tests[i].index)) counts[buckets() + i] = *mine;
    std::vector<std::uint64_t> of_all(counts.size());
    MPI_Allreduce(counts.data(), of_all.data(), static_cast<int>(counts.size()), MPI_UINT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
    tested_.assign(of_all.begin() + static_cast<std::ptrdiff_t>(buckets()), of_all.end());
    stage(counts);
    send(counts, divide(of_all));
  }

  void stage(const std::vector<std::uint64_t>& counts) {
    std::vector<key*> next(buckets());
    key* at = staged_.data();
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket)
      at += (next[bucket] = at, counts[bucket]);
    for (const key each : keys_) *next[each >> shift_]++ = each;
  }

  /// Returns the first bucket of each process, followed by the number of buckets. The processes get
  /// about equal numbers of keys, but only whole buckets.
  std::vector<std::uint64_t> divide(const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> begins = {0};
    std::uint64_t bucket = 0, at = 0;
    for (std::uint64_t process = 0; process <= size_; ++process) {
      const std::uint64_t wanted = first_of(process);
      while (bucket < buckets() && at + counts[bucket] / 2 < wanted) at += counts[bucket++];
      if (process != 0) begins.push_back(process == size_ ? buckets() : bucket);
      if (process == rank_) before_ = at;
    }
    begin_ = begins[rank_];
    end_ = begins[rank_ + 1];
    return begins;
  }

  void send(const std::vector<std::uint64_t>& counts, const std::vector<std::uint64_t>& begins) {
    std::vector<int> out(size_), in(size_), out_at(size_), in_at(size_);
    for (std::size_t process = 0; process < size_; ++process)
      out[process] = static_cast<int>(std::accumulate(
          counts.data() + begins[process], counts.data() + begins[process + 1], std::uint64_t{0}));
    MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(out.begin(), out.end(), out_at.begin(), 0);
    std::exclusive_scan(in.begin(), in.end(), in_at.begin(), 0);
    MPI_Alltoallv(staged_.data(), out.data(), out_at.data(), MPI_UINT32_T, received_.data(),
                  in.data(), in_at.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    size_received_ = static_cast<std::size_t>(in_at.back()) + static_cast<std::size_t>(in.back());
  }

  /// Counts the keys by value, beginning with the smallest value of this process.
  void count_values() const {
    const std::uint64_t first = begin_ << shift_, values = (end_ - begin_) << shift_;
    std::fill_n(ranks_.data(), values + 1, 0);
    for (std::size_t i = 0; i < size_received_; ++i) ++ranks_[received_[i] - first];
    std::uint32_t smaller = 0;
    for (std::uint64_t value = 0; value <= values; ++value)
      smaller += std::exchange(ranks_[value], smaller);
  }

  const nas_class of_;
  const std::uint64_t rank_, size_;
  const unsigned shift_;
  huge_array<key> keys_, staged_, received_, sorted_;
  huge_array<std::uint32_t> ranks_;
  std::vector<std::uint64_t> tested_;  // values of the tested keys
  std::size_t size_received_ = 0;
  // First bucket of this process, and the bucket after the last bucket of this process.
  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t before_ = 0;  // number of keys in the buckets of preceding processes
};

}  // namespace bench::sort
