#pragma once
// The names of vertices that one PE stores.

#include "atoll/graph/stretches.hpp"
#include "atoll/pe.hpp"
#include "atoll/random.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

/// A list of names, which are stored in one text. Each name takes 8 bytes besides its characters,
/// and needs no allocation of its own.
class name_table {
 public:
  void add(std::string_view name) {
    text_.insert(text_.end(), name.begin(), name.end());
    ends_.push_back(text_.size());
  }

  std::uint64_t size() const { return ends_.size(); }

  /// Returns name `i`. The text is valid until the next call of `add`.
  std::string_view operator[](std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {text_.data() + begin, ends_[i] - begin};
  }

 private:
  std::vector<char> text_;
  std::vector<std::uint64_t> ends_;
};

// The part of the names of vertices that one PE stores. The owner of a range of vertices stores
// their names. For each name, the PE to which the hash of the name belongs stores the number of the
// vertex.

struct indexed_name {
  std::uint64_t hash;
  std::uint64_t vertex;
};

struct name_part {
  /// PE p stores the names of the vertices from boundaries[p] to boundaries[p + 1] - 1. If the
  /// vector is empty, vertices have no names.
  std::vector<std::uint64_t> boundaries;
  /// The names of vertices from boundaries[my_pe()] on. The list may be shorter than the range; an
  /// empty text means that a vertex has no name.
  name_table names;
  /// If ids were compacted, the ids of the vertices from boundaries[my_pe()] on, in ascending
  /// order. Vertices with compacted ids have no other names.
  std::vector<std::uint64_t> ids;
  /// PE p stores the ids from first_ids[p] on. If the vector is empty, ids were not compacted.
  std::vector<std::uint64_t> first_ids;
  /// All names whose hash belongs to this PE, sorted by hash and then by vertex.
  std::vector<indexed_name> index;
};

/// Returns the name of a vertex whose name this PE stores, or an empty text.
std::string name_here(const name_part& part, std::uint64_t vertex);

/// Returns the hash of a name. The hash is the same on all PEs.
std::uint64_t hash_of_name(std::string_view name);

/// Returns the PE to which a hash belongs. All PEs have equal ranges of hashes.
inline int pe_of_hash(std::uint64_t hash) {
  return static_cast<int>(uniform_below(hash, static_cast<std::uint64_t>(pes())));
}

/// Numbers the names in the lists of all PEs, and stores them in `part`, without an index. A list
/// must not contain a name twice. Returns the number of each name in the list of this PE. The
/// numbers do not depend on the number of PEs. Every PE calls this function.
task<std::vector<std::uint64_t>> all_number_names(std::vector<std::string> names, name_part& part);

/// Fills the index. Every PE calls this function.
task<> all_index_names(name_part& part);

/// Returns the vertex of the k-th entry in the index that has this hash. Returns no value if at
/// most k entries have this hash.
std::optional<std::uint64_t> indexed_vertex(const name_part& part, std::uint64_t hash,
                                            std::uint64_t k);

/// Sorts entries by hash; entries of equal hash are sorted by `less`. All hashes must belong to
/// this PE. Other tasks run meanwhile.
template <class Entry, class Less>
task<> sort_by_hash(std::vector<Entry>& entries, Less less) {
  constexpr std::uint64_t usual_entries = 256;
  const std::uint64_t buckets = entries.size() / usual_entries + 1;
  const auto bucket_of = [buckets](const Entry& entry) {
    const std::uint64_t within_range = entry.hash * static_cast<std::uint64_t>(pes());
    return multiply_high(within_range, buckets);
  };
  std::vector<std::uint64_t> ends(buckets + 1);
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) ++ends[bucket_of(entries[i]) + 1];
  };
  co_await in_stretches(0, entries.size(), count);
  for (std::uint64_t b = 0; b < buckets; ++b) ends[b + 1] += ends[b];
  std::vector<Entry> sorted(entries.size());
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) sorted[ends[bucket_of(entries[i])]++] = entries[i];
  };
  // After this loop, ends[b] is the end of bucket b.
  co_await in_stretches(0, entries.size(), place);
  const auto before = [&](const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : less(a, b);
  };
  const auto sort = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t b = begin; b < end; ++b) {
      const auto first = static_cast<std::ptrdiff_t>(b == 0 ? 0 : ends[b - 1]);
      std::sort(sorted.begin() + first, sorted.begin() + static_cast<std::ptrdiff_t>(ends[b]),
                before);
    }
  };
  co_await in_stretches(0, buckets, sort, 16);
  entries = std::move(sorted);
}

}  // namespace atl::graph
