#include "graph.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "support/flags.hpp"

namespace bench::paths {
namespace {

/// Reads numbers that are separated by blanks and ends of lines.
class number_reader {
 public:
  number_reader(const std::string& file, const std::string& text)
      : file_(file), at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n')) ++at_;
    return at_ == end_;
  }
  template <class Number>
  Number next() {
    Number value{};
    if (at_end()) throw bad_input(file_ + ": the last line is not \"u v weight\"");
    const auto [behind, status] = std::from_chars(at_, end_, value);
    if (status != std::errc{}) throw bad_input(file_ + ": expected lines \"u v weight\"");
    at_ = behind;
    return value;
  }

 private:
  const std::string& file_;
  const char *at_, *end_;
};

}  // namespace

input generate(const atl::generator_parameters& parameters) {
  constexpr std::uint32_t largest_weight = 255;
  const auto edges = parameters.edges();
  require_memory(static_cast<double>(edges) * (sizeof(weighted_edge) + 4 * 12));
  const atl::random_graph_generator make(parameters);
  input result{huge_array<weighted_edge>(edges), parameters.vertices()};
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < edges; ++i) {
    const auto e = make(i);
    const auto weight = 1 + atl::hashed_weight(e.from, e.to, parameters.seed) % largest_weight;
    result.edges[i] = {static_cast<vertex>(e.from), static_cast<vertex>(e.to),
                       static_cast<double>(weight)};
  }
  return result;
}

input read_edge_list(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw bad_input("--graph: cannot read " + file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::vector<weighted_edge> edges;
  std::uint64_t vertices = 0;
  for (number_reader reader(file, text); !reader.at_end();) {
    const auto from = reader.next<vertex>();
    const auto to = reader.next<vertex>();
    edges.push_back({from, to, reader.next<double>()});
    vertices = std::max({vertices, from + std::uint64_t{1}, to + std::uint64_t{1}});
  }
  input result{huge_array<weighted_edge>(edges.size()), vertices};
  std::copy(edges.begin(), edges.end(), result.edges.begin());
  return result;
}

graph::graph(const input& from) : offsets_(from.vertices + 1) {
  std::vector<std::uint64_t> places(from.vertices + 1);
  for (const auto& e : from.edges)
    if (e.from != e.to) ++places[e.from + 1], ++places[e.to + 1];
  for (std::uint64_t v = 0; v < from.vertices; ++v) places[v + 1] += places[v];
  std::vector<std::pair<vertex, double>> arcs(places[from.vertices]);
  auto next = places;
  for (const auto& e : from.edges) {
    if (e.from == e.to) continue;
    arcs[next[e.from]++] = {e.to, e.weight};
    arcs[next[e.to]++] = {e.from, e.weight};
  }
  targets_ = huge_array<vertex>(arcs.size());
  weights_ = huge_array<double>(arcs.size());
  std::uint64_t kept = 0;
  for (std::uint64_t v = 0; v < from.vertices; ++v) {
    const auto begin = arcs.begin() + static_cast<std::ptrdiff_t>(places[v]);
    const auto end = arcs.begin() + static_cast<std::ptrdiff_t>(places[v + 1]);
    std::sort(begin, end);
    offsets_[v] = kept;
    for (auto each = begin; each != end; ++each) {
      // This arc is a duplicate of a lighter arc.
      if (each != begin && each->first == std::prev(each)->first) continue;
      targets_[kept] = each->first;
      weights_[kept++] = each->second;
    }
  }
  offsets_[from.vertices] = kept;
}

double graph::sum_of_weights() const {
  double sum = 0;
  for (std::uint64_t i = 0; i < arcs(); ++i) sum += weights_[i];
  return sum;
}

}  // namespace bench::paths
