#pragma once
// What a job finds out about its graph, and what is told of it. Used by the main task of the job.

#include "app/driver/graph_flags.hpp"
#include "atoll/graph.hpp"
#include "atoll/run.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// A vertex as people see it: by its name, or its number where it has none.
struct shown_vertex {
  std::uint64_t id = 0;
  std::string text;
  std::optional<std::uint64_t> input_id = {};  ///< where the input numbers it otherwise
};

struct graph_pe_facts {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t bytes = 0;       ///< of its part of the graph
  std::uint64_t bytes_peak = 0;  ///< of the process, as the system counts them
};

struct graph_findings {
  graph_size size;
  bool named = false;
  std::vector<std::string> remarks;  ///< about how the file was understood
  std::uint64_t weight_column = 0;   ///< of a text with any number of columns; 0: none
  std::uint64_t columns_left_out = 0;
  unsigned id_bits = 32;
  std::uint64_t hubs = 0;
  double read_seconds = 0;
  double scan_seconds = 0;  ///< of these, to find where the parts of a BVGraph begin
  double build_seconds = 0;
  std::vector<graph_pe_facts> pes;
  std::uint64_t scanned_edges = 0;  ///< arcs looked at in the last trial, by all PEs
  std::string wrong;                ///< what the check of the result has found; "" for nothing

  std::uint64_t arcs() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes) sum += pe.arcs;
    return sum;
  }

  /// The arcs of the largest PE over the average.
  double balance() const {
    std::uint64_t most = 0;
    for (const auto& pe : pes) most = std::max(most, pe.arcs);
    if (most == 0) return 1;
    return static_cast<double>(most) * static_cast<double>(pes.size()) /
           static_cast<double>(arcs());
  }
};

/// What is shown of a vertex.
task<shown_vertex> shown(vertex_names names, std::uint64_t vertex);

/// The most this PE's process has held in memory, as the system counts it; 0 where PE 0 is in the
/// same process, and says it.
std::uint64_t peak_of_own_process();

/// What the builder of a graph knows of its input.
void take_facts(const graph_builder& builder, graph_findings& findings);

/// What is known of a graph that was built. One task calls it. Blocks the task.
task<> gather_facts(global_graph graph, graph_findings& findings);

/// Awaits `check(where)`, a coroutine of the library that throws `error` (wrong_result) with its
/// line; keeps what is wrong.
template <class Check>
task<> keep_fault(Check check, graph_findings& findings, site where = site::current()) {
  try {
    co_await check(where);
  } catch (const error& failure) {
    if (failure.code() != errc::wrong_result) throw;
    findings.wrong = std::string(failure.what()).substr(to_string(where).size() + 2);
  }
}

// ---- What people and programs read of it.

/// A line with what is wrong, and the same for programs.
void add_fault(report& result, const graph_findings& found);

/// Names may be long: cut between characters of UTF-8.
std::string short_name(const std::string& name);

/// "1 edge", "1,500 edges".
std::string plural(std::uint64_t count, std::string_view one);

/// "1 vertex", "2,000 vertices".
std::string vertices_text(std::uint64_t count);

/// Where the weights are from: "of the file, column 3".
std::string weights_text(const graph_findings& found);

/// Says how many columns of a text were not looked at, if any.
void add_columns_left_out(report& result, const graph_findings& found);

/// Its size, for people, and beside what was measured also how it is kept.
void add_graph_lines(report& result, const graph_findings& found, const std::string& name);

/// What a reader must know of how the file was understood.
void add_remarks(report& result, const std::vector<std::string>& remarks);

/// What it took to read and to build it.
void add_graph_metrics(report& result, const graph_findings& found, bool generated);

/// What programs read: "graph", with `more` of it, and "per_pe".
void add_graph_sections(report& result, const graph_findings& found, named_values more = {});

}  // namespace atl::app
