#pragma once
// In oriented rows, each edge is an entry of only one row: the row of its endpoint of larger rank
// (order.hpp explains ranks). The endpoint of larger rank has the smaller degree. The entry of an
// edge is the rank of its other endpoint. Row r of PE p belongs to the vertex of rank r * pes() +
// p. Every PE therefore has about the same work, and can compute where a row is.

#include "atoll/collectives.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/common/source_rows.hpp"
#include "atoll/kernels/triangles/order.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"

#include <span>
#include <vector>

namespace atl::kernels::triangles {

/// The form of an entry of an oriented row. An entry has the rank of a vertex. In a directed graph,
/// the lowest bit of the entry also tells whether arcs lead in both directions. `Word` must be able
/// to hold the number of vertices, or twice that number in a directed graph.
template <class Word, bool Directed>
struct form {
  using word = Word;
  static constexpr bool directed = Directed;

  static Word entry(Word rank, bool both) {
    return Directed ? static_cast<Word>(2 * rank + (both ? 1 : 0)) : rank;
  }
  static Word rank(Word entry) { return Directed ? entry >> 1 : entry; }
  static Word both(Word entry) { return Directed ? entry & 1 : 0; }
};

/// The neighbours of the vertices of one PE. The direction of arcs is ignored.
template <class Id>
class neighbourhoods {
 public:
  /// `sources` has the sources of arcs; it is null for an undirected graph.
  neighbourhoods(const graph_part<Id>& part, const source_rows<Id>* sources)
      : part_(part), sources_(sources) {}

  /// Calls `visit(neighbour, both)` for each neighbour of the vertex of row r. In a directed graph,
  /// `both` tells whether arcs lead in both directions.
  template <class Visit>
  void for_each(std::uint64_t r, Visit visit) const {
    const auto targets = part_.row(r);
    if (sources_ == nullptr) {
      for (const Id target : targets) visit(target, false);
      return;
    }
    const auto sources = sources_->row(r);
    auto to = targets.begin();
    auto from = sources.begin();
    while (to != targets.end() || from != sources.end()) {
      const bool has_target = from == sources.end() || (to != targets.end() && *to <= *from);
      const bool has_source = to == targets.end() || (from != sources.end() && *from <= *to);
      visit(has_target ? *to : *from, has_target && has_source);
      if (has_target) ++to;
      if (has_source) ++from;
    }
  }

  std::uint64_t degree(std::uint64_t r) const {
    if (sources_ == nullptr) return part_.row(r).size();
    std::uint64_t count = 0;
    for_each(r, [&](Id, bool) { ++count; });
    return count;
  }

  const graph_part<Id>& part() const { return part_; }

 private:
  const graph_part<Id>& part_;
  const source_rows<Id>* sources_;
};

/// The position and length of a row in the array of its PE's entries.
class row_place {
 public:
  row_place() = default;
  row_place(std::uint64_t begin, std::uint64_t length) : bits_(begin << k_length_bits | length) {
    if (length > k_longest || begin > ~std::uint64_t{0} >> k_length_bits)
      fail(errc::input, "triangles: the graph has 2^40 edges or more on one PE");
  }

  std::uint64_t begin() const { return bits_ >> k_length_bits; }
  std::uint64_t length() const { return bits_ & k_longest; }

 private:
  // No row is longer than the square root of twice the number of edges.
  static constexpr unsigned k_length_bits = 24;
  static constexpr std::uint64_t k_longest = (std::uint64_t{1} << k_length_bits) - 1;

  std::uint64_t bits_ = 0;
};

/// The description of an oriented row, which is sent to the PE that will keep the row.
template <class Word>
struct sent_row {
  Word row;  ///< index of the row on the receiving PE
  std::uint32_t length;
};

/// The oriented rows of one PE. At first, the PE makes the rows of the vertices that it owns in the
/// graph. The rank of a vertex selects the PE to which the row of the vertex is sent. A PE keeps
/// the rows that it receives.
template <class Form>
struct row_part {
  using word = typename Form::word;

  std::vector<word> degrees;  ///< degrees of this PE's vertices, by row of the graph
  /// For each PE p: rows of the graph that this PE sends to p, in the order of sending.
  std::vector<std::vector<word>> sent;
  huge_vector<word> outgoing;          ///< entries of the rows to send, in the order of `sent`
  std::vector<std::uint64_t> amounts;  ///< for each PE p: number of entries for p in `outgoing`
  /// For each PE p: index on p of the first entry that this PE sends to p.
  std::vector<std::uint64_t> firsts;
  /// For each PE p: rows on this PE that p has sent, in the order of sending.
  std::vector<std::vector<word>> received;
  std::uint64_t entries = 0;  ///< number of entries of all rows on this PE
};

/// For each vertex of this PE, calls `visit(row, entry)` for each neighbour of smaller rank. PEs
/// exchange the ranks of one window, a range of vertices, at a time. Every PE calls this function.
template <class Form, class Id, class Visit>
task<> all_for_each_entry(const neighbourhoods<Id>& of, const std::vector<Id>& ranks, Visit visit) {
  const graph_part<Id>& part = of.part();
  const std::uint64_t vertices = part.shape.vertices;
  const auto step = graph::window_of(vertices, static_cast<std::uint64_t>(pes()));
  for (std::uint64_t begin = 0; begin < vertices; begin += step) {
    const auto window = co_await graph::all_gather_window(part, ranks, begin, step);
    const auto look_up = [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t r = first; r < last; ++r) {
        of.for_each(r, [&](Id neighbour, bool both) {
          const std::uint64_t place = neighbour - begin;
          if (place < window.size() && window[place] < ranks[r])
            visit(r, Form::entry(window[place], both));
        });
      }
    };
    co_await graph::in_stretches(0, part.vertices, look_up, graph::k_sorted_rows);
  }
}

/// Makes the oriented rows of this PE's vertices in `outgoing`. Returns the rows to send, in one
/// list for each receiving PE. Every PE calls this function.
template <class Form, class Id>
task<std::vector<std::vector<sent_row<typename Form::word>>>>
all_orient(const neighbourhoods<Id>& of, row_part<Form>& mine) {
  using word = typename Form::word;
  const graph_part<Id>& part = of.part();
  const auto all = static_cast<Id>(pes());
  std::vector<Id> degrees(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) degrees[r] = static_cast<Id>(of.degree(r));
  const auto ranks = co_await all_ranks(std::span<const Id>(degrees), part.first_vertex);
  std::vector<std::uint32_t> lengths(part.vertices);
  co_await all_for_each_entry<Form>(of, ranks, [&](std::uint64_t r, word) { ++lengths[r]; });
  mine.degrees.assign(degrees.begin(), degrees.end());
  mine.sent.resize(all);
  std::vector<std::vector<sent_row<word>>> rows(all);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const std::size_t to = ranks[r] % all;
    mine.sent[to].push_back(static_cast<word>(r));
    rows[to].push_back({static_cast<word>(ranks[r] / all), lengths[r]});
  }
  std::vector<std::uint64_t> next(part.vertices);
  std::uint64_t entries = 0;
  for (const auto& to_pe : mine.sent) {
    const std::uint64_t before = entries;
    for (const word r : to_pe) next[r] = std::exchange(entries, entries + lengths[r]);
    mine.amounts.push_back(entries - before);
  }
  co_await graph::grow(mine.outgoing, entries);
  const auto store = [&](std::uint64_t r, word entry) { mine.outgoing[next[r]++] = entry; };
  co_await all_for_each_entry<Form>(of, ranks, store);
  co_return rows;
}

/// Chooses the places of the rows that other PEs will send. Tells each sender the index at which
/// the sender's entries will begin. Every PE calls this function.
template <class Form>
task<> all_place(const std::vector<std::vector<sent_row<typename Form::word>>>& rows,
                 row_part<Form>& mine, std::span<row_place> places) {
  mine.received.resize(rows.size());
  mine.firsts.resize(rows.size());
  std::vector<std::vector<std::uint64_t>> firsts(rows.size());
  const auto from_all = co_await all_to_all(rows);
  for (std::size_t pe = 0; pe < rows.size(); ++pe) {
    firsts[pe] = {mine.entries};
    for (const auto& [row, length] : from_all[pe]) {
      mine.received[pe].push_back(row);
      places[row] = row_place(mine.entries, length);
      mine.entries += length;
    }
  }
  const auto told = co_await all_to_all(firsts);
  for (std::size_t pe = 0; pe < rows.size(); ++pe) mine.firsts[pe] = told[pe][0];
}

/// Makes the oriented rows of this PE's vertices, and chooses the places of the rows that this PE
/// will receive. Returns the largest number of entries on any PE. Every PE calls this function.
template <class Form, class Id>
task<std::uint64_t> all_prepare_rows(const graph_part<Id>& part, const source_rows<Id>* sources,
                                     row_part<Form>& mine, std::span<row_place> places) {
  const auto rows = co_await all_orient(neighbourhoods<Id>(part, sources), mine);
  co_await all_place(rows, mine, places);
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  co_return co_await all_reduce(mine.entries, larger);
}

/// Sends the entries of all rows to the PEs that keep the rows. Every PE calls this function.
template <class Form>
task<> all_send_rows(row_part<Form>& mine, symmetric_array<typename Form::word> entries) {
  using word = typename Form::word;
  std::uint64_t begin = 0;
  for (std::size_t pe = 0; pe < mine.amounts.size(); ++pe) {
    const auto of_pe = std::span<const word>(mine.outgoing).subspan(begin, mine.amounts[pe]);
    const auto send = [&](std::uint64_t from, std::uint64_t to) {
      one_sided::put_nbi(entries.on(static_cast<int>(pe), mine.firsts[pe] + from),
                         of_pe.subspan(from, to - from));
    };
    co_await graph::in_stretches(0, of_pe.size(), send, graph::k_stretch * 16);
    begin += mine.amounts[pe];
  }
  co_await one_sided::quiet();
  co_await all_barrier();
  mine.outgoing = {};
}

}  // namespace atl::kernels::triangles
