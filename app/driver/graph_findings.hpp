#pragma once
// Declares the facts that a job collects about its graph, and their output. The main task of the
// job uses them.

#include "app/driver/graph_flags.hpp"
#include "atoll/graph.hpp"
#include "atoll/run.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// A vertex as shown to people: its name, or its number if it has none.
struct shown_vertex {
  std::uint64_t id = 0;
  std::string text;
  std::optional<std::uint64_t> input_id = {};  ///< id in the input, if that differs from `id`
};

struct graph_pe_facts {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t bytes = 0;       ///< memory of the part of the graph on this PE
  std::uint64_t bytes_peak = 0;  ///< peak memory of the process, as the system counts it
};

struct graph_findings {
  graph_size size;
  bool named = false;
  std::vector<std::string> remarks;  ///< assumptions made in reading the file
  std::uint64_t weight_column = 0;   ///< number of the column; 0: none, or a fixed one
  std::uint64_t columns_left_out = 0;
  unsigned id_bits = 32;
  std::uint64_t hubs = 0;
  double read_seconds = 0;
  double scan_seconds = 0;  ///< share of `read_seconds`: finding the parts of a BVGraph
  double build_seconds = 0;
  std::vector<graph_pe_facts> pes;
  std::uint64_t scanned_edges = 0;  ///< arcs scanned by all PEs in the last trial
  std::string wrong;                ///< error found by --verify; "" if none

  std::uint64_t arcs() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes) sum += pe.arcs;
    return sum;
  }

  /// Returns the arcs of the PE with most arcs divided by the average.
  double balance() const {
    std::uint64_t most = 0;
    for (const auto& pe : pes) most = std::max(most, pe.arcs);
    if (most == 0) return 1;
    return static_cast<double>(most) * static_cast<double>(pes.size()) /
           static_cast<double>(arcs());
  }
};

/// Returns the vertex with the text that people see.
task<shown_vertex> shown(vertex_names names, std::uint64_t vertex);

/// Returns the peak memory of the process of this PE, as the system counts it. Returns 0 on other
/// PEs that share the process of PE 0.
std::uint64_t peak_of_own_process();

/// Copies the facts about the input from `builder` to `findings`.
void take_facts(const graph_builder& builder, graph_findings& findings);

/// Collects the facts about a built graph from all PEs. Call from one task, which blocks.
task<> gather_facts(global_graph graph, graph_findings& findings);

/// Awaits `check(where)`, a coroutine of the library. An `error` (wrong_result) that it throws is
/// stored as `findings.wrong`, without its position in the source.
template <class Check, class Findings>
task<> keep_fault(Check check, Findings& findings, site where = site::current()) {
  try {
    co_await check(where);
  } catch (const error& failure) {
    if (failure.code() != errc::wrong_result) throw;
    findings.wrong = std::string(failure.what()).substr(to_string(where).size() + 2);
  }
}

// ---- Text and JSON.

/// Adds the error found by --verify to the text and the JSON.
void add_fault(report& result, const graph_findings& found);

/// Returns the name, shortened between characters of UTF-8 if it is long.
std::string short_name(const std::string& name);

/// Returns a text such as "1 edge" or "1,500 edges".
std::string plural(std::uint64_t count, std::string_view one);

/// Returns a text such as "1 vertex" or "2,000 vertices".
std::string vertices_text(std::uint64_t count);

/// Returns the origin of the weights: "of the file, column 3".
std::string weights_text(const graph_findings& found);

/// Adds the number of ignored columns of a text file, if any.
void add_columns_left_out(report& result, const graph_findings& found);

/// Adds lines with the size of the graph and, in benchmarks, its representation.
void add_graph_lines(report& result, const graph_findings& found, const std::string& name);

/// Adds the assumptions made in reading the file.
void add_remarks(report& result, const std::vector<std::string>& remarks);

/// Adds the times to read and to build the graph.
void add_graph_metrics(report& result, const graph_findings& found, bool generated);

/// Adds the sections "graph", extended by `more`, and "per_pe" to the JSON.
void add_graph_sections(report& result, const graph_findings& found, named_values more = {});

}  // namespace atl::app
