#pragma once
// The keys at which buckets are cut, and loops over many keys between which other tasks run.

#include "atoll/collectives.hpp"
#include "atoll/kernels/sort/division.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/task.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

namespace atl::kernels::sort {

// Loops over many keys, between which other tasks run and messages arrive.

/// Number of keys that take about a millisecond.
inline constexpr std::size_t k_stretch = std::size_t{1} << 18;

/// Calls body(part) for consecutive parts of the keys.
template <class Key, class Body>
task<> in_stretches(std::span<Key> keys, Body body) {
  for (std::size_t begin = 0; begin < keys.size(); begin += k_stretch) {
    body(keys.subspan(begin, std::min(k_stretch, keys.size() - begin)));
    co_await yield();
  }
}

/// Grows to `size` elements; present elements stay. The system clears new memory when it is
/// touched, which takes a while.
template <class T>
task<> grow(huge_vector<T>& elements, std::size_t size) {
  elements.reserve(size);
  while (elements.size() < size) {
    elements.resize(std::min(size, elements.size() + k_stretch));
    co_await yield();
  }
}

/// Calls body(i) for each of `pieces` pieces, each of size_of(i) keys.
template <class Size, class Body>
task<> for_pieces(std::size_t pieces, Size size_of, Body body) {
  std::size_t done = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    body(piece);
    done += size_of(piece);
    if (done < k_stretch) continue;
    done = 0;
    co_await yield();
  }
}

// Search for the keys at which buckets are cut, and distribution of the copies of such a key.

/// A border that is being searched: it lies before a key whose highest bits are known.
struct sought_cut {
  border* at;
  std::uint64_t prefix;
};

inline constexpr unsigned k_digit_bits = 8;

/// Returns the number of keys of this PE per next digit after the prefix of each cut.
template <class Key>
task<std::vector<std::uint64_t>> count_digits(std::span<const Key> keys,
                                              const std::vector<sought_cut>& cuts,
                                              unsigned known_from, unsigned digit_from) {
  const std::size_t digits = std::size_t{1} << (known_from - digit_from);
  std::vector<std::uint64_t> counts(cuts.size() * digits);
  const auto count = [&](std::span<const Key> some) {
    for (const std::uint64_t key : some)
      for (std::size_t c = 0; c < cuts.size(); ++c)
        if (key >> known_from == cuts[c].prefix)
          ++counts[c * digits + (key >> digit_from) % digits];
  };
  co_await in_stretches(keys, count);
  atl::charge(work::key_counted, keys.size());
  co_return counts;
}

/// Settles the cuts of a division, digit by digit. Every PE calls it.
template <class Key>
task<> all_find_cuts(division& of, std::span<const Key> keys, unsigned shift) {
  std::vector<sought_cut> cuts;
  for (border& each : of.borders())
    if (each.is_cut) cuts.push_back({&each, each.bucket});
  for (unsigned known = shift; known > 0 && !cuts.empty();) {
    const unsigned next = known - std::min(known, k_digit_bits);
    const std::size_t digits = std::size_t{1} << (known - next);
    auto counts = co_await count_digits(keys, cuts, known, next);
    counts = co_await all_reduce(std::move(counts), std::plus<>());
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const std::uint64_t* count = counts.data() + c * digits;
      std::uint64_t digit = 0;
      for (auto& left = cuts[c].at->ties; left >= count[digit]; ++digit) left -= count[digit];
      cuts[c].prefix = cuts[c].prefix * digits + digit;
    }
    known = next;
  }
  for (const sought_cut& each : cuts) each.at->key = each.prefix;
}

/// Returns the piece of each key of this PE, if buckets are cut.
class cut_pieces {
 public:
  cut_pieces() = default;

  /// `quotas` has, by cut, the number of this PE's copies of its key that lie before it.
  cut_pieces(const key_shape& shape, const std::vector<border>& cuts,
             std::vector<std::uint64_t> quotas)
      : shift_(shape.shift()), of_bucket_(shape.buckets()), quotas_(std::move(quotas)) {
    std::uint64_t cuts_before = 0;
    std::size_t next = 0;
    for (std::uint64_t bucket = 0; bucket < shape.buckets(); ++bucket) {
      entry& here = of_bucket_[bucket];
      here = {bucket + cuts_before, next, next};
      for (; next < cuts.size() && cuts[next].bucket == bucket; ++next) {
        keys_.push_back(cuts[next].key);
        here.end = next + 1;
        ++cuts_before;
      }
    }
  }

  /// Begins counting or moving the keys, because copies count in their order.
  void begin() { seen_.assign(quotas_.size(), 0); }

  std::uint64_t operator()(std::uint64_t key) {
    const entry& here = of_bucket_[key >> shift_];
    std::uint64_t piece = here.piece;
    for (std::size_t c = here.begin; c < here.end; ++c) {
      if (key < keys_[c]) break;
      if (key > keys_[c] || seen_[c]++ >= quotas_[c]) ++piece;
    }
    return piece;
  }

 private:
  struct entry {
    std::uint64_t piece = 0;         // the first of the bucket
    std::size_t begin = 0, end = 0;  // its cuts
  };

  unsigned shift_ = 0;
  std::vector<entry> of_bucket_;
  std::vector<std::uint64_t> keys_, quotas_, seen_;  // by cut
};

/// Distributes the copies of keys that are cut, in the order of PEs. Every PE calls it.
template <class Key>
task<cut_pieces> all_deal_copies(const division& of, std::span<const Key> keys, key_shape shape) {
  std::vector<border> cuts;
  for (int pe = 0; pe < pes(); ++pe)
    if (of.begin_of(pe).is_cut) cuts.push_back(of.begin_of(pe));
  std::vector<std::uint64_t> copies(cuts.size());
  const auto count = [&](std::span<const Key> some) {
    for (const Key each : some)
      for (std::size_t c = 0; c < cuts.size(); ++c) copies[c] += each == cuts[c].key ? 1 : 0;
  };
  co_await in_stretches(keys, count);
  atl::charge(work::key_counted, keys.size());
  const auto of_all = co_await all_gather(std::span<const std::uint64_t>(copies));
  std::vector<std::uint64_t> quotas(cuts.size());
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    std::uint64_t before = 0;
    for (int pe = 0; pe < my_pe(); ++pe) before += of_all[static_cast<std::size_t>(pe)][c];
    quotas[c] = std::clamp(cuts[c].ties, before, before + copies[c]) - before;
  }
  co_return cut_pieces(shape, cuts, std::move(quotas));
}

}  // namespace atl::kernels::sort
