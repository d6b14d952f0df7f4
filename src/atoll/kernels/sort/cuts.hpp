#pragma once
// Finds the keys at which large buckets are divided between PEs (division.hpp). This header also
// has loops over many keys, which let other tasks run now and then.

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

// Loops over many keys. The task yields after each `k_stretch` keys, so that other tasks run and
// messages arrive.

/// Number of keys that a loop processes before the task yields. A simple loop over `k_stretch` keys
/// takes about a millisecond.
inline constexpr std::size_t k_stretch = std::size_t{1} << 18;

/// Calls `body(part)` for consecutive parts of `keys`. The task yields after each part.
template <class Key, class Body>
task<> in_stretches(std::span<Key> keys, Body body) {
  for (std::size_t begin = 0; begin < keys.size(); begin += k_stretch) {
    body(keys.subspan(begin, std::min(k_stretch, keys.size() - begin)));
    co_await yield();
  }
}

/// Enlarges `elements` to `size` elements. Existing elements keep their values. The task yields now
/// and then, because the operating system takes a while to clear new memory.
template <class T>
task<> grow(huge_vector<T>& elements, std::size_t size) {
  elements.reserve(size);
  while (elements.size() < size) {
    elements.resize(std::min(size, elements.size() + k_stretch));
    co_await yield();
  }
}

/// Calls `body(i)` for each number i below `pieces`: the number of a piece, which is a part of a
/// bucket. Piece i has `size_of(i)` keys. The task yields after about `k_stretch` keys.
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

// The rest of this file finds the keys at which buckets are divided between PEs. Equal keys can lie
// on both sides of a cut, a border between two PEs within a bucket.

/// A cut (a border between two PEs within a bucket) whose key is being searched. `prefix` has the
/// highest bits of the key, as far as the search has found them.
struct sought_cut {
  border* at;
  std::uint64_t prefix;
};

inline constexpr unsigned k_digit_bits = 8;

/// Counts this PE's keys whose highest bits are the prefix, the bits of a cut's key that are
/// already known. Returns one number of keys for each cut and each value of the next digit after
/// the prefix. The prefix has the bits from `known_from` on, and the next digit has the bits from
/// `digit_from` to `known_from` - 1.
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

/// Finds the keys of all cuts (borders between PEs within a bucket), digit by digit, beginning with
/// the highest digit. Every PE calls this function.
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

/// Finds the piece (one PE's part of a bucket) to which each key of this PE belongs, if buckets are
/// divided between PEs. Calling the object with a key returns the number of the key's piece.
class cut_pieces {
 public:
  cut_pieces() = default;

  /// `quotas` has one element per cut: the number of this PE's copies of the cut's key that lie
  /// before the cut.
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

  /// Forgets the keys seen so far. The caller must call this function before each pass over all
  /// keys. If keys of this PE equal the key of cut c, the first `quotas[c]` of these keys lie
  /// before the cut. The object therefore counts these keys.
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
    std::uint64_t piece = 0;         // number of the first piece of the bucket
    std::size_t begin = 0, end = 0;  // range of the bucket's cuts in `keys_`
  };

  unsigned shift_ = 0;
  std::vector<entry> of_bucket_;
  std::vector<std::uint64_t> keys_, quotas_, seen_;  // indexed by cut
};

/// Decides, for each cut (a border between PEs within a bucket), which copies of its key lie before
/// the cut. The copies on PE 0 come first, then the copies on PE 1, and so on. Every PE calls this
/// function.
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
