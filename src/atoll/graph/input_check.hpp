#pragma once
// Checks a graph against its input edges. The check shares no code with the construction of the
// graph. Each vertex v is checked by one PE, its examiner: PE v modulo the number of PEs, no matter
// which PE owns v. The examiner sums up the arcs of the input edges. The examiner then subtracts
// the arcs that the rows of the graph contain for the vertex, and the difference must be zero.

#include "atoll/collectives.hpp"
#include "atoll/graph/build.hpp"
#include "atoll/random.hpp"

#include <utility>

namespace atl {

/// Differences between a graph and the edges from which it was made, on all PEs together.
struct input_differences {
  /// Difference between the numbers of edges of the input and of the graph.
  std::uint64_t edges = 0;
  /// Number of vertices that have a different number of arcs in the input and in the graph.
  /// Duplicates and self loops count as arcs.
  std::uint64_t degrees = 0;
  /// Number of vertices that have different neighbours in the input and in the graph. The check
  /// compares the number and the checksum of the neighbours.
  std::uint64_t neighbours = 0;
  std::uint64_t first = ~std::uint64_t{0};  ///< the smallest vertex with a difference

  std::uint64_t total() const { return edges + degrees + neighbours; }
  friend input_differences operator+(const input_differences& a, const input_differences& b) {
    return {a.edges + b.edges, a.degrees + b.degrees, a.neighbours + b.neighbours,
            std::min(a.first, b.first)};
  }
};

namespace graph {

/// The numbers of arcs and neighbours of a vertex, and a checksum. All members are added and
/// subtracted modulo 2^64.
struct vertex_account {
  std::uint64_t arcs = 0;        ///< number of arcs, with duplicates and self loops
  std::uint64_t neighbours = 0;  ///< number of different neighbours
  std::uint64_t checksum = 0;    ///< sum of the hashes of the neighbours

  void add_neighbour(std::uint64_t vertex) { ++neighbours, checksum += hash(vertex + 1); }
};

/// The vertices that one PE examines. Only the PE that examines the vertices uses the object.
template <class Id>
class examiner {
 public:
  void prepare(std::uint64_t vertices) {
    const std::uint64_t examined = vertices / all_pes() + 1;
    left_.assign(examined, {});
    arcs_.resize(examined / k_vertices_at_once + 1);
  }

  static int of(std::uint64_t vertex) { return static_cast<int>(vertex % all_pes()); }

  void collect(Id source, Id target) {
    const std::uint64_t index = source / all_pes();
    --left_[index].arcs;
    if (source != target) arcs_[index / k_vertices_at_once].push_back({source, target});
  }

  void claim(std::uint64_t vertex, const vertex_account& account) {
    vertex_account& left = left_[vertex / all_pes()];
    left.arcs += account.arcs;
    left.neighbours += account.neighbours;
    left.checksum += account.checksum;
  }

  /// Compares the arcs of the input with the arcs of the graph. The caller must call this function
  /// once, after all arcs have arrived.
  task<input_differences> compare() {
    for (auto& some : arcs_) {
      std::ranges::sort(some);
      some.erase(std::unique(some.begin(), some.end()), some.end());
      for (const auto& [source, target] : some) subtract(source, target);
      std::vector<std::pair<Id, Id>>().swap(some);
      co_await yield();
    }
    input_differences found;
    for (std::uint64_t i = 0; i < left_.size(); ++i) {
      const vertex_account& left = left_[i];
      const bool other_degree = left.arcs != 0;
      const bool other_neighbours = left.neighbours != 0 || left.checksum != 0;
      found.degrees += other_degree ? 1 : 0;
      found.neighbours += other_neighbours ? 1 : 0;
      if (other_degree || other_neighbours)
        found.first = std::min(found.first, i * all_pes() + static_cast<std::uint64_t>(my_pe()));
    }
    co_return found;
  }

 private:
  static constexpr std::uint64_t k_vertices_at_once = 1 << 12;

  static std::uint64_t all_pes() { return static_cast<std::uint64_t>(pes()); }

  void subtract(Id source, Id target) {
    vertex_account one;
    one.add_neighbour(target);
    vertex_account& left = left_[source / all_pes()];
    left.neighbours -= one.neighbours;
    left.checksum -= one.checksum;
  }

  /// Element v / pes() is the difference for vertex v.
  std::vector<vertex_account> left_;
  /// Arcs without loops; each list has the arcs of a fixed number of consecutive vertices.
  std::vector<std::vector<std::pair<Id, Id>>> arcs_;
};

/// Returns the account of a row on this PE. A split hub has a row on every PE.
template <class Id>
vertex_account account_of_row(const graph_part<Id>& part, std::uint64_t row) {
  vertex_account account{part.input_arcs[row]};
  for (const Id target : part.row(row)) account.add_neighbour(target);
  return account;
}

/// Sends each arc of the input edges to the examiner of its source.
template <class Id, edge_source Edges>
task<> send_input(const Edges& edges, orientation arcs_are, per_pe<examiner<Id>> examiners) {
  const auto send = [&](std::uint64_t from, std::uint64_t to) {
    async_call(examiner<Id>::of(from),
               [examiners, source = static_cast<Id>(from), target = static_cast<Id>(to)] {
                 examiners->collect(source, target);
               });
  };
  for (std::uint64_t i = 0; i < edges.size();) {
    for (const auto stop = std::min(edges.size(), i + k_stretch); i < stop && has_room(); ++i) {
      const edge e = edges(i);
      if (arcs_are != orientation::in) send(e.from, e.to);
      if (arcs_are != orientation::out) send(e.to, e.from);
    }
    co_await yield();
  }
}

/// Sends the account of each row on this PE to the examiner of its vertex.
template <class Id>
task<> send_claims(const graph_part<Id>& part, per_pe<examiner<Id>> examiners) {
  for (std::uint64_t row = 0; row < part.rows();) {
    for (const auto stop = std::min(part.rows(), row + k_sorted_rows); row < stop && has_room();
         ++row) {
      const std::uint64_t vertex = part.vertex_of_row(row);
      async_call(examiner<Id>::of(vertex),
                 [examiners, vertex, account = account_of_row(part, row)] {
                   examiners->claim(vertex, account);
                 });
    }
    co_await yield();
  }
}

/// Compares the graph with its input. Every PE calls this function, with the same edges from which
/// the graph was built.
template <class Id, edge_source Edges>
task<input_differences> all_compare_with_input(const graph_part<Id>& part, const Edges& edges,
                                               per_pe<examiner<Id>> examiners) {
  examiners->prepare(part.shape.vertices);
  co_await all_barrier();
  const auto send_all = [&]() -> task<> {
    co_await send_input(edges, part.arcs_are, examiners);
    co_await send_claims(part, examiners);
  };
  co_await finish(send_all);
  co_await all_barrier();
  input_differences found = co_await examiners->compare();
  const std::uint64_t read = co_await all_reduce(edges.size(), k_sum);
  if (my_pe() == 0)
    found.edges = read > part.input_edges ? read - part.input_edges : part.input_edges - read;
  co_return co_await all_reduce(found, k_sum);
}

}  // namespace graph

/// Compares a graph with the edges from which it was made. `edges()` is called on every PE, and
/// returns the edges of that PE. One task calls this function and waits.
template <class Id, class EdgesOfPe>
task<input_differences> compare_with_input(distributed_graph<Id> graph, EdgesOfPe edges) {
  const auto examiners = co_await per_pe<graph::examiner<Id>>::make();
  const auto compare = [graph, examiners, edges]() -> task<input_differences> {
    const auto& mine = edges();
    co_return co_await graph::all_compare_with_input(graph.local(), mine, examiners);
  };
  const input_differences found = co_await from_all_pes(compare);
  co_await examiners.destroy();
  co_return found;
}

}  // namespace atl
