#include "app/graph_memory.hpp"

#include "app/job_memory.hpp"
#include "atoll/base/error.hpp"
#include "atoll/base/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace atl::app {
namespace {

// What is free does not have what is held already; what a limit allows does.
bool fits(double needed, double held, const settings& options, const job_memory& free) {
  return needed + (options.memory_limit != 0 ? held : 0) <= static_cast<double>(free.bytes);
}

double bytes_of_stored(const graph_flags& flags, double edges) {
  return flags.generated() ? 0 : edges * sizeof(edge);
}

// The ends of all edges, sorted by way of a copy, beside the edges. Few graphs have so many
// different ids that what becomes of these is more.
double bytes_to_compact(const graph_flags& flags, double edges) {
  return flags.files.compact ? edges * 2 * 2 * sizeof(std::uint64_t) : 0;
}

// No more ids occur than edges have ends.
std::string way_out_of_gaps(const graph_flags& flags, graph_size size) {
  const auto most = 2 * size.edges;
  const bool is_one = !flags.generated() && flags.files.names.empty() && !flags.files.compact;
  if (!is_one || size.vertices <= most) return "";
  return fmt::format("; at most {} of the vertices have an edge: --compact leaves out the others",
                     grouped_digits(most));
}

}  // namespace

std::uint64_t id_bytes_for(const graph_flags& flags, std::uint64_t vertices) {
  const bool narrow = vertices < std::numeric_limits<std::uint32_t>::max();
  return narrow && !flags.wide_ids ? 4 : 8;
}

bytes_of_graph::bytes_of_graph(graph_size size, bool undirected, std::uint64_t id_bytes,
                               std::uint64_t pes) {
  const auto id = static_cast<double>(id_bytes);
  const auto vertices = static_cast<double>(size.vertices);
  const double arcs = static_cast<double>(size.edges) * (undirected ? 2 : 1);
  constexpr double offset = 8, count = 4, cursor = 8;
  built = arcs * id + vertices * (offset + count + (undirected ? id : 0));
  const double sorting = arcs * 3 * id + vertices * (offset + count + cursor);
  const double ordering =
      undirected ? built + vertices * (1 + k_gathered_copies * static_cast<double>(pes)) : 0;
  building = std::max(sorting, ordering);
}

void check_memory_for(const graph_flags& flags, const settings& options, const graph_work& work) {
  const double held = bytes_of_stored(flags, static_cast<double>(work.size.edges));
  const job_memory free = memory_for_job(options);
  if (fits(work.bytes, held, options, free)) return;
  fail(
      errc::out_of_memory, "{}: {} {} vertices and {} edge{} needs about {}{} on {} PE{}, and {}{}",
      flags.name(), work.doing, grouped_digits(work.size.vertices), grouped_digits(work.size.edges),
      work.size.edges == 1 ? "" : "s", human_bytes(work.bytes), held > 0 ? " beside its edges" : "",
      work.pes, work.pes == 1 ? "" : "s", free.sentence, way_out_of_gaps(flags, work.size));
}

void check_memory_to_read(const graph_flags& flags, const settings& options) {
  const double edges = guessed_edges(flags.files.edges);
  const double needed = bytes_of_stored(flags, edges) + bytes_to_compact(flags, edges);
  const job_memory free = memory_for_job(options);
  if (fits(needed, 0, options, free)) return;
  fail(errc::out_of_memory, "{}: its edges, about {}, need {}, and {}", flags.files.edges,
       human_number(edges), human_bytes(needed), free.sentence);
}

}  // namespace atl::app
