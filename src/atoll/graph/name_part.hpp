#pragma once
// The names of the vertices of a graph that one PE keeps.

#include "atoll/graph/stretches.hpp"
#include "atoll/pe.hpp"
#include "atoll/random.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

/// Names by number, packed: 8 bytes besides the text per name, and no allocation.
class name_table {
 public:
  void add(std::string_view name) {
    text_.insert(text_.end(), name.begin(), name.end());
    ends_.push_back(text_.size());
  }

  std::uint64_t size() const { return ends_.size(); }

  /// Returns a name, valid until the next `add`.
  std::string_view operator[](std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {text_.data() + begin, ends_[i] - begin};
  }

 private:
  std::vector<char> text_;
  std::vector<std::uint64_t> ends_;
};

// The data of one PE about the names of a graph's vertices. A name is kept on the PE of its range
// of vertices; the PE of its hash knows where it is.

struct indexed_name {
  std::uint64_t hash;
  std::uint64_t vertex;
};

struct name_part {
  /// PE p has the names of the vertices [boundaries[p], boundaries[p + 1]); empty: there are none.
  std::vector<std::uint64_t> boundaries;
  /// Names of the vertices from boundaries[my_pe()] on, as far as they have one; "" is none.
  name_table names;
  /// Ids of the vertices from boundaries[my_pe()] on, in order, if ids were compacted; there are no
  /// other names then.
  std::vector<std::uint64_t> ids;
  /// PE p keeps the ids from first_ids[p] on; empty: ids were not compacted.
  std::vector<std::uint64_t> first_ids;
  /// All names whose hash belongs to this PE, by hash and then by vertex.
  std::vector<indexed_name> index;
};

/// Returns the name of a vertex that belongs to this PE, or "".
std::string name_here(const name_part& part, std::uint64_t vertex);

/// Returns the hash of a name, which is the same on all PEs.
std::uint64_t hash_of_name(std::string_view name);

/// Returns the PE of a hash; PEs have equal ranges of hashes.
inline int pe_of_hash(std::uint64_t hash) {
  return static_cast<int>(uniform_below(hash, static_cast<std::uint64_t>(pes())));
}

/// Numbers the names of all PEs' lists, which have no duplicates, and keeps them in `part`, without
/// an index. Returns the number of each name of this PE's list. The numbers do not depend on the
/// number of PEs. Every PE calls it.
task<std::vector<std::uint64_t>> all_number_names(std::vector<std::string> names, name_part& part);

/// Fills the index. Every PE calls it.
task<> all_index_names(name_part& part);

/// Returns the vertex of the k-th entry of the index with this hash.
std::optional<std::uint64_t> indexed_vertex(const name_part& part, std::uint64_t hash,
                                            std::uint64_t k);

/// Sorts entries whose hashes belong to this PE by hash, equal ones by `less`. Other tasks run
/// meanwhile.
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
  co_await in_stretches(0, entries.size(), place);  // now ends[b] is where bucket b ends
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
