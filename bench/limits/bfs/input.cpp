#include "input.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "atoll/random_graph.hpp"
#include "support/flags.hpp"

namespace bench::bfs {
namespace {

/// Reads the numbers in a list of edges, and counts lines for error messages.
class edge_list_reader {
 public:
  edge_list_reader(const std::string& file, const std::string& text)
      : file_(file), at_(text.data()), end_(text.data() + text.size()) {}

  /// Reads the next edge. Returns false at the end of the text.
  bool next(input_edge& edge) {
    skip(" \t\r\n");
    if (at_ == end_) return false;
    edge.from = number();
    edge.to = number();
    return true;
  }

 private:
  void skip(std::string_view characters) {
    for (; at_ != end_ && characters.find(*at_) != characters.npos; ++at_) line_ += *at_ == '\n';
  }
  vertex number() {
    skip(" \t");
    vertex value{};
    const auto [behind, status] = std::from_chars(at_, end_, value);
    if (status != std::errc{} || value >> 31 != 0) {
      throw bad_input(file_ + ":" + std::to_string(line_) + ": expected an id below 2^31");
    }
    at_ = behind;
    return value;
  }

  const std::string& file_;
  const char *at_, *end_;
  std::uint64_t line_ = 1;
};

}  // namespace

input generate(std::uint64_t scale, std::uint64_t edge_factor, std::uint64_t seed) {
  const atl::generator_parameters parameters{scale, edge_factor, seed};
  // Each edge takes memory for itself and for its two entries in the rows.
  const auto bytes_an_edge = sizeof(input_edge) + 4 * sizeof(vertex);
  require_memory(static_cast<double>(parameters.edges()) * static_cast<double>(bytes_an_edge));
  const atl::random_graph_generator edge(parameters);
  input result{huge_array<input_edge>(parameters.edges()), parameters.vertices()};
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < result.edges.size(); ++i) {
    const auto e = edge(i);
    result.edges[i] = {static_cast<vertex>(e.from), static_cast<vertex>(e.to)};
  }
  return result;
}

input read_edge_list(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw bad_input("--graph: cannot read " + file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::vector<input_edge> edges;
  vertex largest = 0;
  edge_list_reader reader(file, text);
  for (input_edge edge; reader.next(edge);) {
    edges.push_back(edge);
    largest = std::max({largest, edge.from, edge.to});
  }
  input result{huge_array<input_edge>(edges.size()),
               edges.empty() ? 0 : largest + std::uint64_t{1}};
  std::copy(edges.begin(), edges.end(), result.edges.begin());
  return result;
}

}  // namespace bench::bfs
