#include "app/driver/memory.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace atl::app {
namespace {

// Returns how many of the `held` bytes are already missing from the reported free memory. Without a
// memory limit, the result is `held`, because bytes that the process has allocated are no longer
// free. If a memory limit is set, the whole limit is reported as free memory, so the result is 0.
double held_apart(const settings& options, double held) {
  return options.memory_limit == 0 ? held : 0;
}

// Returns the number of bytes by which the memory that does not depend on the graph exceeds the
// memory reserved for the runtime. If the reserved memory suffices, returns 0.
double fixed_beside(const settings& options, std::uint64_t pes, const job_memory& free) {
  return std::max(0.0, fixed_bytes(options, pes) - static_cast<double>(free.set_apart));
}

// If some vertices certainly have no edge, returns the advice to use --compact. Each edge has two
// endpoints, so the number of vertices with an edge is at most twice the number of edges. If
// --compact would not help, returns an empty text.
std::string way_out_of_gaps(const graph_flags& flags, graph_size size) {
  const auto most = 2 * size.edges;
  const bool is_one = !flags.generated() && flags.files.names.empty() && !flags.files.compact;
  if (!is_one || size.vertices <= most) return "";
  return fmt::format("; at most {} of the vertices have an edge: --compact leaves out the others",
                     grouped_digits(most));
}

}  // namespace

job_memory memory_for_job(const settings& options, const std::optional<job::launch>& launched) {
  if (options.memory_limit != 0) {
    const auto limit = static_cast<double>(options.memory_limit);
    return {options.memory_limit, "--memory-limit allows " + human_bytes(limit)};
  }
  const settings found = job::within_control_group(options);
  const std::uint64_t all = read_memory_status().free();
  const std::uint64_t free = found.memory_limit != 0 ? found.memory_limit : all;
  const std::uint64_t set_apart = all - std::min(all, free);
  const std::string here = human_bytes(static_cast<double>(free)) + " are free";
  if (!launched || launched->ranks == 1) return {free, here, set_apart};
  // Some launchers do not tell the number of ranks per host.
  if (launched->ranks <= 0 || launched->ranks_of_host <= 0)
    return {std::numeric_limits<std::uint64_t>::max(), here + " on this host, one of unknown many"};
  if (launched->ranks <= launched->ranks_of_host) return {free, here};
  const auto ranks = static_cast<std::uint64_t>(launched->ranks);
  const auto ranks_here = static_cast<std::uint64_t>(launched->ranks_of_host);
  return {free / ranks_here * ranks,
          fmt::format("{} on this host, which has {} of the {} PEs", here, ranks_here, ranks)};
}

std::uint64_t id_bytes_for(const graph_flags& flags, std::uint64_t vertices) {
  const bool narrow = vertices < std::numeric_limits<std::uint32_t>::max();
  return narrow && !flags.wide_ids ? 4 : 8;
}

load_demand demand_to_load(const graph_flags& flags, graph_size size, bool undirected,
                           std::uint64_t pes, bool needed_again, bool arc_weights) {
  const file_edges of_file = needed_again ? file_edges::kept : file_edges::passing;
  const file_edges edges = flags.generated() ? file_edges::none : of_file;
  return {size, undirected, id_bytes_for(flags, size.vertices), pes, edges, 0, arc_weights};
}

double fixed_bytes(const settings& options, std::uint64_t pes) {
  constexpr double of_process = 16 << 20, of_simulated = 1 << 20, of_pair = 1024;
  const auto all = static_cast<double>(pes);
  if (options.transport != transport_kind::sim) return all * of_process;
  return of_process + all * (of_simulated + of_pair * all);
}

void check_memory_for(const graph_flags& flags, const settings& options, const graph_work& work) {
  const double held = held_apart(options, work.stored);
  const job_memory free = memory_for_job(options);
  const double needed = work.bytes + fixed_beside(options, work.pes, free) - held;
  if (needed <= static_cast<double>(free.bytes)) return;
  fail(errc::out_of_memory,
       "{}: {} {} vertices and {} edge{} needs about {}{} on {} PE{}, and {}{}", flags.name(),
       work.doing, grouped_digits(work.size.vertices), grouped_digits(work.size.edges),
       work.size.edges == 1 ? "" : "s", human_bytes(needed), held > 0 ? " beside its edges" : "",
       work.pes, work.pes == 1 ? "" : "s", free.sentence, way_out_of_gaps(flags, work.size));
}

void check_memory_to_load(const graph_flags& flags, const settings& options, bool undirected,
                          std::uint64_t pes, bool needed_again, bool arc_weights) {
  const guessed_graph guess = guess_graph(flags.files);
  load_demand demand =
      demand_to_load(flags, guess.size, undirected, pes, needed_again, arc_weights);
  demand.weight_bits = guess.weight_bits;
  bytes_of_graph bytes(demand);
  if (flags.files.compact) {  // the number of vertices is unknown before reading
    const double stored = bytes.stored;
    demand.size.vertices = 0;
    bytes = bytes_of_graph(demand);
    bytes.building = std::max(bytes.building, stored);
  }
  const graph_size& size = demand.size;
  const job_memory free = memory_for_job(options);
  const double needed = bytes.building + fixed_beside(options, pes, free);
  if (needed <= static_cast<double>(free.bytes)) return;
  const std::string vertices =
      size.vertices == 0 ? "" : fmt::format("{} vertices and ", grouped_digits(size.vertices));
  fail(errc::out_of_memory, "{}: loading about {}{} edge{} takes {} on {} PE{}, and {}{}",
       flags.name(), vertices, grouped_digits(size.edges), size.edges == 1 ? "" : "s",
       human_bytes(needed), pes, pes == 1 ? "" : "s", free.sentence, way_out_of_gaps(flags, size));
}

void check_memory_to_read(const graph_flags& flags, const settings& options) {
  const guessed_graph guess = guess_graph(flags.files);
  const double needed = bytes_of_stored(guess.size, guess.weight_bits);
  const job_memory free = memory_for_job(options);
  if (needed <= static_cast<double>(free.bytes)) return;
  fail(errc::out_of_memory, "{}: its edges, about {}, take {}, and {}", flags.files.edges,
       grouped_digits(guess.size.edges), human_bytes(needed), free.sentence);
}

}  // namespace atl::app
