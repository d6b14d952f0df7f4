#pragma once
// Counts triangles by oriented rows. An oriented row lists the neighbours that come before the
// vertex in the order by degree (rows.hpp). All neighbours in a row are marked, and then the row of
// each neighbour is searched for marked vertices. Each marked vertex in the row of the neighbour is
// the third vertex of a triangle. If this PE can address the memory of another PE, this PE reads
// the rows of the other PE directly. Rows on other nodes are copied in blocks.

#include "atoll/collectives.hpp"
#include "atoll/delegates.hpp"
#include "atoll/kernels/triangles/marks.hpp"
#include "atoll/kernels/triangles/rows.hpp"

#include <functional>

namespace atl::kernels::triangles {

/// Numbers of triangles of a vertex. `both` is the number of triangles in which arcs in both
/// directions connect the two other vertices.
struct triangle_totals {
  std::uint64_t all = 0;
  std::uint64_t both = 0;
};

/// The counts of one PE.
template <class Form>
struct count_part {
  std::vector<triangle_totals> totals;  ///< for each oriented row on this PE: totals of its vertex
  /// For each entry of the rows on this PE: number of found triangles that contain the row's vertex
  /// and the entry's vertex. `all_add_up` adds this number to the total of the entry's vertex.
  huge_vector<std::uint32_t> of_entry;
  /// For each entry in a directed graph: number of triangles that `all_add_up` adds to
  /// `triangle_totals::both` of the entry's vertex.
  huge_vector<std::uint32_t> both_of_entry;
  /// A function that is called with the fraction of lookups that is done. The function may be
  /// empty.
  std::function<void(double)> progress;
};

/// The memory of the oriented rows of all PEs.
template <class Form>
struct row_arrays {
  symmetric_array<row_place> places;  ///< indexed by row
  symmetric_array<typename Form::word> entries;
};

/// Returns the elements of PE `pe`. The result is empty if this PE cannot address the elements.
template <class T>
std::span<T> loadable(const symmetric_array<T>& array, int pe) {
  return pe == my_pe() ? array.local() : array.directly_mapped(pe);
}

/// A neighbour in the row of a vertex, and the row of that neighbour.
template <class Form>
struct neighbour_row {
  typename Form::word neighbour;
  std::span<const typename Form::word> row;
};

/// Finds the rows of neighbours on PEs whose memory this PE can address.
template <class Form>
class reached_rows {
 public:
  using word = typename Form::word;

  explicit reached_rows(const row_arrays<Form>& arrays) {
    for (int pe = 0; pe < pes(); ++pe) {
      places_.push_back(loadable(arrays.places, pe).data());
      entries_.push_back(loadable(arrays.entries, pe).data());
    }
  }

  /// Appends the rows of the neighbours in `row`, without empty rows.
  void find(std::span<const word> row, std::vector<neighbour_row<Form>>& found) const {
    const auto all = static_cast<word>(places_.size());
    for (const word neighbour : row) {
      const word rank = Form::rank(neighbour);
      const std::size_t pe = rank % all;
      if (places_[pe] == nullptr) continue;
      const row_place place = places_[pe][rank / all];
      if (place.length() == 0) continue;
      const word* const begin = entries_[pe] + place.begin();
      __builtin_prefetch(begin);
      found.push_back({neighbour, {begin, place.length()}});
    }
  }

 private:
  // Indexed by PE; null if this PE cannot address the memory.
  std::vector<const row_place*> places_;
  std::vector<const word*> entries_;
};

/// Finds the rows of neighbours in a copied block, which has a range of the entries of another PE.
template <class Form>
class copied_rows {
 public:
  using word = typename Form::word;

  /// A row is in the block (the copied range of entries) if the index of its first entry is from
  /// `begin` to `end` - 1. `entries` has the entries from `begin` on.
  copied_rows(int pe, std::span<const row_place> places, std::uint64_t begin, std::uint64_t end,
              std::span<const word> entries)
      : pe_(static_cast<word>(pe)), places_(places), begin_(begin), end_(end), entries_(entries) {}

  void find(std::span<const word> row, std::vector<neighbour_row<Form>>& found) const {
    const auto all = static_cast<word>(pes());
    for (const word neighbour : row) {
      const word rank = Form::rank(neighbour);
      if (rank % all != pe_) continue;
      const row_place place = places_[rank / all];
      if (place.length() == 0 || place.begin() < begin_ || place.begin() >= end_) continue;
      found.push_back({neighbour, entries_.subspan(place.begin() - begin_, place.length())});
    }
  }

 private:
  word pe_;
  std::span<const row_place> places_;
  std::uint64_t begin_, end_;
  std::span<const word> entries_;
};

/// Counts the triangles of the vertices of one PE.
template <class Form, class Marks>
class row_counter {
 public:
  using word = typename Form::word;

  row_counter(const row_arrays<Form>& arrays, count_part<Form>& counts, Marks marks)
      : places_(arrays.places.local()),
        entries_(arrays.entries.local()),
        counts_(counts),
        marks_(std::move(marks)) {}

  /// Counts triangles by searching the rows of neighbours. Only neighbours whose rows are found by
  /// `rows.find` are considered. The task waits, and other tasks run meanwhile.
  template <class Rows>
  task<> count(const Rows& rows) {
    std::uint64_t done = 0;
    for (std::uint64_t r = 0; r < counts_.totals.size(); ++r) {
      done += count_row(r, rows) + 1;
      if (done < k_lookups_at_once) continue;
      done = 0;
      if (counts_.progress)
        counts_.progress(static_cast<double>(r) / static_cast<double>(counts_.totals.size()));
      co_await yield();
    }
  }

 private:
  static constexpr std::uint64_t k_lookups_at_once = graph::k_stretch * 4;

  /// Counts the triangles in which the vertex of row r has the smallest degree. Returns the number
  /// of lookups.
  template <class Rows>
  std::uint64_t count_row(std::uint64_t r, const Rows& rows) {
    const row_place place = places_[r];
    if (place.length() < 2) return 0;
    const auto row = entries_.subspan(place.begin(), place.length());
    found_.clear();
    rows.find(row, found_);
    if (found_.empty()) return 0;
    marks_.begin(row.size());
    for (const word entry : row) marks_.mark(Form::rank(entry), Form::both(entry) != 0);
    std::uint64_t lookups = 0;
    for (const auto& [neighbour, of] : found_) {
      lookups += of.size();
      const found_triangles found = look_up<Form>(marks_, neighbour, of);
      counts_.totals[r].all += found.all;
      if constexpr (Form::directed) counts_.totals[r].both += found.both;
    }
    take_counts(place.begin(), row);
    return lookups;
  }

  /// For each entry of `row`, adds the count in the entry's mark to the entry's element of
  /// `of_entry`. Clears the marks of all entries of `row`.
  void take_counts(std::uint64_t begin, std::span<const word> row) {
    for (std::uint64_t i = 0; i < row.size(); ++i) {
      const found_triangles found = marks_.at(Form::rank(row[i])).found();
      counts_.of_entry[begin + i] += found.all;
      if constexpr (Form::directed) counts_.both_of_entry[begin + i] += found.both;
    }
    for (std::uint64_t i = row.size(); i-- > 0;) marks_.clear(Form::rank(row[i]));
  }

  std::span<const row_place> places_;
  std::span<const word> entries_;
  count_part<Form>& counts_;
  Marks marks_;
  std::vector<neighbour_row<Form>> found_;
};

/// Smallest number of entries that are copied from another node at a time.
inline constexpr std::uint64_t k_least_block = std::uint64_t{1} << 18;

/// Searches the rows on PEs of other nodes, and counts the triangles that the search finds.
/// `entries` has the number of entries of each PE. No row has more than `longest` entries. A copied
/// block has at least `least_block` entries. The task waits.
template <class Form, class Marks>
task<> count_by_copies(row_counter<Form, Marks>& counter, const row_arrays<Form>& arrays,
                       const std::vector<std::uint64_t>& entries, std::uint64_t longest,
                       std::uint64_t least_block) {
  using word = typename Form::word;
  const std::uint64_t block = std::max(least_block, entries[static_cast<std::size_t>(my_pe())] / 4);
  std::vector<row_place> places;
  std::vector<word> copied;
  for (int i = 1; i < pes(); ++i) {
    const int pe = (my_pe() + i) % pes();
    const std::uint64_t size = entries[static_cast<std::size_t>(pe)];
    if (size == 0 || !loadable(arrays.places, pe).empty()) continue;
    places.resize(arrays.places.size());
    one_sided::get_nbi(arrays.places.on(pe), std::span(places));
    for (std::uint64_t begin = 0; begin < size; begin += block) {
      copied.resize(std::min(block + longest, size - begin));
      one_sided::get_nbi(arrays.entries.on(pe, begin), std::span(copied));
      co_await one_sided::quiet();
      co_await counter.count(copied_rows<Form>(pe, places, begin, begin + block, copied));
    }
  }
}

/// Counts triangles. A PE counts a triangle if the PE has the row of the triangle's vertex of
/// smallest degree. Every PE calls this function.
template <class Form, class Marks>
task<> all_count_rows(const row_arrays<Form>& arrays, count_part<Form>& counts, Marks marks,
                      std::uint64_t least_block) {
  std::uint64_t longest = 0;
  for (const row_place& place : arrays.places.local()) longest = std::max(longest, place.length());
  longest =
      co_await all_reduce(longest, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  const auto entries = co_await all_gather(std::uint64_t{counts.of_entry.size()});
  row_counter<Form, Marks> counter(arrays, counts, std::move(marks));
  co_await counter.count(reached_rows<Form>(arrays));
  counts.progress = nullptr;
  co_await count_by_copies(counter, arrays, entries, longest, least_block);
}

/// Adds the counts of all entries to the totals of the vertices that the entries name. Every PE
/// calls this function.
template <class Form>
task<> all_add_up(const row_arrays<Form>& arrays, per_pe<count_part<Form>> everywhere) {
  using word = typename Form::word;
  const count_part<Form>& mine = everywhere.local();
  const auto all = static_cast<word>(pes());
  const auto entries = arrays.entries.local();
  co_await all_barrier();
  const auto send = [&]() -> task<> {
    for (std::uint64_t i = 0; i < mine.of_entry.size(); ++i) {
      const std::uint32_t found = mine.of_entry[i];
      if (found == 0) continue;
      const word rank = Form::rank(entries[i]);
      const word row = rank / all;
      std::uint32_t both = 0;
      if constexpr (Form::directed) both = mine.both_of_entry[i];
      everywhere.async_update(static_cast<int>(rank % all),
                              [row, found, both](count_part<Form>& there) noexcept {
                                there.totals[row].all += found;
                                there.totals[row].both += both;
                              });
      if (!has_room()) co_await room();
      if (i % graph::k_stretch == 0) co_await yield();
    }
  };
  co_await finish(send);
  co_await all_barrier();
}

/// Calls `take(row, totals)` for each vertex that this PE owns. `row` is the row of the vertex in
/// the graph. Every PE calls this function.
template <class Form, class Take>
task<> all_answer(const row_part<Form>& rows, const count_part<Form>& counts, Take take) {
  std::vector<std::vector<triangle_totals>> answers(rows.received.size());
  for (std::size_t pe = 0; pe < answers.size(); ++pe)
    for (const auto row : rows.received[pe]) answers[pe].push_back(counts.totals[row]);
  const auto of_mine = co_await all_to_all(answers);
  for (std::size_t pe = 0; pe < answers.size(); ++pe)
    for (std::size_t i = 0; i < of_mine[pe].size(); ++i) take(rows.sent[pe][i], of_mine[pe][i]);
}

}  // namespace atl::kernels::triangles
