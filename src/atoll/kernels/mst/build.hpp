#pragma once
// Phase 0 of the algorithm MND-MST (mnd.hpp) distributes the edges of a graph. Each PE gets a
// contiguous range of vertices with about the same number of edges.

#include "atoll/graph/partition.hpp"
#include "atoll/kernels/mst/lists.hpp"
#include "atoll/kernels/mst/part.hpp"

#include <iterator>
#include <tuple>

namespace atl::kernels::mst {

/// An edge of the input, with `u` < `v`.
template <class Word>
struct raw_edge {
  Word u;
  Word v;
  Word weight;
};

/// The edges that a PE has numbered. The numbers of the edges that PE p has numbered begin at
/// `first[p]`.
template <class Word>
struct numbered_edges {
  huge_vector<raw_edge<Word>> edges;
  /// For each PE: number of the first edge that the PE has numbered. The last element is the number
  /// of all edges.
  std::vector<std::uint64_t> first;
};

/// Builds one PE's part of the graph from the edges of all PEs.
template <class Word, class Exchange>
class part_builder {
 public:
  template <class T>
  using task = typename Exchange::template task<T>;

  part_builder(part<Word>& into, Exchange& others) : part_(into), others_(others) {
    part_.rank = others.pe();
    for (int pe = 0; pe < others.pes(); ++pe) all_.push_back(pe);
  }

  /// Builds each PE's part of the graph from the edges of all PEs. Each PE passes different edges.
  /// The edges may include loops (u == v). Every PE calls this function.
  task<void> all_build(const huge_vector<raw_edge<Word>>& edges, std::uint64_t vertices) {
    co_await all_agree(edges, vertices);
    co_await all_distribute(edges);
    co_await all_number();
    huge_vector<raw>().swap(raw_);
  }

  /// Makes `all_build` store the edges in `into` when they are numbered, so that the caller can
  /// find an edge by its number. The caller must call this function before `all_build`.
  void keep_numbered(numbered_edges<Word>& into) { kept_ = &into; }

  /// Returns the number of edges of the whole graph. Each edge is counted once, and self loops are
  /// ignored.
  std::uint64_t edges() const { return first_of_.back(); }

 private:
  using raw = raw_edge<Word>;

  bool is_here(Word vertex) const {
    return vertex >= shape_.begin(part_.rank) && vertex < shape_.end(part_.rank);
  }

  task<void> all_agree(const huge_vector<raw>& edges, std::uint64_t vertices) {
    const vertex_buckets buckets(vertices);
    std::vector<std::uint64_t> counts(buckets.count());
    for (const raw& each : edges) {
      ++counts[buckets.of(each.u)];
      ++counts[buckets.of(each.v)];
    }
    counts = co_await others_.sum(std::move(counts));
    shape_.vertices = vertices;
    shape_.boundaries = balanced_boundaries(buckets, counts, others_.pes());
    raw_.reserve(ends_here(buckets, counts));
    spare_.reserve(raw_.capacity());
  }

  /// Returns an upper bound of the number of edges that this PE receives. An edge with both
  /// endpoints on this PE is counted twice.
  std::uint64_t ends_here(const vertex_buckets& buckets,
                          const std::vector<std::uint64_t>& counts) const {
    std::uint64_t ends = 0;
    for (std::uint64_t b = 0; b < buckets.count(); ++b)
      if (is_here(static_cast<Word>(buckets.first_vertex(b)))) ends += counts[b];
    return ends;
  }

  /// Sends each edge to the owners of its two endpoints.
  task<void> all_distribute(const huge_vector<raw>& edges) {
    lists<raw> leaving(others_.pes());
    const auto for_each = [&](auto visit) {
      for (const raw& each : edges) {
        if (each.u == each.v) continue;
        const int first = shape_.owner(each.u);
        const int second = is_of(each.v, first) ? first : shape_.owner(each.v);
        visit(first, each);
        if (second != first) visit(second, each);
      }
    };
    for_each([&](int pe, const raw&) {
      if (pe != part_.rank) leaving.count(pe);
    });
    leaving.allocate();
    for_each([&](int pe, const raw& each) {
      if (pe != part_.rank)
        leaving.add(pe, each);
      else
        raw_.push_back(each);
    });
    huge_vector<raw> come;
    come.reserve(raw_.capacity() - raw_.size());
    const auto keep = [&](int, std::span<const raw> piece) {
      come.insert(come.end(), piece.begin(), piece.end());
    };
    co_await others_.all_pairs(all_, leaving, keep, [this] {
      others_.charge(work_kind::edge_built, raw_.size());
      sort_by_ends(raw_);
    });
    leaving = lists<raw>(0);
    others_.charge(work_kind::edge_built, come.size());
    sort_by_ends(come);
    merge_and_clean(come);
  }

  bool is_of(Word vertex, int pe) const {
    return vertex >= shape_.begin(pe) && vertex < shape_.end(pe);
  }

  static bool is_before(const raw& a, const raw& b) {
    return std::tie(a.u, a.v) < std::tie(b.u, b.v);
  }

  void sort_by_ends(huge_vector<raw>& edges) {
    sort_by_key(edges, [](const raw& each) { return each.v; }, spare_);
    sort_by_key(edges, [](const raw& each) { return each.u; }, spare_);
  }

  /// Merges the received edges `come` with the edges of this PE. Among several edges between the
  /// same endpoints, the lightest is kept.
  void merge_and_clean(const huge_vector<raw>& come) {
    if (spare_.capacity() < raw_.size() + come.size()) huge_vector<raw>().swap(spare_);
    spare_.resize(raw_.size() + come.size());
    std::size_t kept = 0;
    const auto keep = [&](const raw& each) {
      if (kept != 0 && spare_[kept - 1].u == each.u && spare_[kept - 1].v == each.v)
        spare_[kept - 1].weight = std::min(spare_[kept - 1].weight, each.weight);
      else
        spare_[kept++] = each;
    };
    auto next = come.begin();
    for (const raw& each : raw_) {
      for (; next != come.end() && is_before(*next, each); ++next) keep(*next);
      keep(each);
    }
    for (; next != come.end(); ++next) keep(*next);
    spare_.resize(kept);
    raw_.swap(spare_);
    huge_vector<raw>().swap(spare_);
  }

  /// Numbers the edges. The owner of the smaller endpoint numbers an edge, and sends the number to
  /// the owner of the other endpoint. The messages contain only numbers, because both PEs have
  /// their common edges in the same order.
  task<void> all_number() {
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(others_.pes()));
    for (const raw& each : raw_)
      if (is_here(each.u)) ++counts[static_cast<std::size_t>(part_.rank)];
    counts = co_await others_.sum(std::move(counts));
    for (const std::uint64_t count : counts) first_of_.push_back(first_of_.back() + count);
    part_.edges.resize(raw_.size());
    const auto told = number_own(first_of_[static_cast<std::size_t>(part_.rank)]);
    co_await all_tell_numbers(told);
    if (kept_ == nullptr) co_return;
    kept_->first = first_of_;
    const auto is_own = [this](const raw& each) { return is_here(each.u); };
    std::ranges::copy_if(raw_, std::back_inserter(kept_->edges), is_own);
  }

  lists<Word> number_own(std::uint64_t next) {
    lists<Word> told(others_.pes());
    for (const raw& each : raw_)
      if (is_here(each.u) && !is_here(each.v)) told.count(shape_.owner(each.v));
    told.allocate();
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      if (!is_here(raw_[i].u)) continue;
      part_.edges[i].id = static_cast<Word>(next++);
      if (!is_here(raw_[i].v)) told.add(shape_.owner(raw_[i].v), part_.edges[i].id);
    }
    return told;
  }

  task<void> all_tell_numbers(const lists<Word>& told) {
    std::vector<std::size_t> next(static_cast<std::size_t>(others_.pes()));
    for (std::size_t p = 0; p < next.size(); ++p) {
      const auto begin = shape_.begin(static_cast<int>(p));
      next[p] = static_cast<std::size_t>(std::ranges::lower_bound(raw_, begin, {}, &raw::u) -
                                         raw_.begin());
    }
    const auto take = [&](int from, std::span<const Word> ids) {
      for (const Word id : ids) part_.edges[next[static_cast<std::size_t>(from)]++].id = id;
    };
    co_await others_.all_pairs(all_, told, take, [this] { make_table(); });
  }

  /// Makes the table of the part's vertices in ascending order: smaller ghosts, then this PE's
  /// vertices, then larger ghosts. A ghost is a vertex of another PE to which an edge of this part
  /// leads.
  void make_table() {
    for (std::size_t i = 0; i < raw_.size(); ++i) part_.edges[i].weight = raw_[i].weight;
    place_ghosts_below();
    const auto first = static_cast<Word>(shape_.begin(part_.rank));
    const auto first_place = static_cast<Word>(part_.names.size());
    for (auto vertex = first; vertex < shape_.end(part_.rank); ++vertex) add_name(vertex);
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      if (is_here(raw_[i].u)) part_.edges[i].a = raw_[i].u - first + first_place;
      if (is_here(raw_[i].v)) part_.edges[i].b = raw_[i].v - first + first_place;
    }
    place_ghosts_above();
  }

  void add_name(Word vertex) {
    part_.names.push_back(vertex);
    part_.owners.push_back(is_here(vertex) ? part_.rank : shape_.owner(vertex));
  }
  void add_if_new(Word vertex) {
    if (part_.names.empty() || part_.names.back() != vertex) add_name(vertex);
  }

  void place_ghosts_below() {
    for (std::size_t i = 0; i < raw_.size() && raw_[i].u < shape_.begin(part_.rank); ++i) {
      add_if_new(raw_[i].u);
      part_.edges[i].a = static_cast<Word>(part_.names.size() - 1);
    }
  }

  void place_ghosts_above() {
    huge_vector<named_position<Word>> above;
    for (std::size_t i = 0; i < raw_.size(); ++i)
      if (raw_[i].v >= shape_.end(part_.rank)) above.push_back({raw_[i].v, static_cast<Word>(i)});
    sort_by_key(above, [](const auto& each) { return each.name; });
    for (const auto& [name, edge] : above) {
      add_if_new(name);
      part_.edges[edge].b = static_cast<Word>(part_.names.size() - 1);
    }
  }

  part<Word>& part_;
  Exchange& others_;
  std::vector<int> all_;
  partition shape_;
  huge_vector<raw> raw_;
  huge_vector<raw> spare_;  // memory for sorting
  std::vector<std::uint64_t> first_of_ = {0};
  numbered_edges<Word>* kept_ = nullptr;
};

}  // namespace atl::kernels::mst
