#pragma once
// Declares the facts that a job collects about its graph, the functions that print them, and the
// function that finds a vertex by the text of a flag. The main task of the job collects the facts.

#include "app/driver/graph_flags.hpp"
#include "atoll/graph.hpp"
#include "atoll/run.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// A vertex as the program shows it to people: by name or, if vertices have no names, by number.
struct shown_vertex {
  std::uint64_t id = 0;
  std::string text;
  /// Id of the vertex in the input. The member is set only if the id in the input differs from
  /// `id`.
  std::optional<std::uint64_t> input_id = {};
};

struct graph_pe_facts {
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t bytes = 0;       ///< memory of this PE's part of the graph, in bytes
  std::uint64_t bytes_peak = 0;  ///< peak memory of the process as reported by the system, in bytes
};

struct graph_findings {
  graph_size size;
  bool named = false;
  std::vector<std::string> remarks;  ///< sentences about how the file was understood
  /// Column of the weights in a text file; 0 if there are no weights, or if the format fixes the
  /// column.
  std::uint64_t weight_column = 0;
  std::uint64_t columns_left_out = 0;
  unsigned id_bits = 32;
  std::uint64_t hubs = 0;
  double read_seconds = 0;
  /// Part of `read_seconds` in which a BVGraph or METIS file was divided into parts for the PEs.
  double scan_seconds = 0;
  double build_seconds = 0;
  std::vector<graph_pe_facts> pes;
  /// Number of arcs that were visited in the last trial, summed over all PEs.
  std::uint64_t scanned_edges = 0;
  std::string wrong;  ///< the mistake that --verify found; empty if there was none

  std::uint64_t arcs() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes) sum += pe.arcs;
    return sum;
  }

  /// Returns the largest number of arcs of a PE, divided by the average number per PE.
  double balance() const {
    std::uint64_t most = 0;
    for (const auto& pe : pes) most = std::max(most, pe.arcs);
    if (most == 0) return 1;
    return static_cast<double>(most) * static_cast<double>(pes.size()) /
           static_cast<double>(arcs());
  }
};

/// Returns the name and the id by which the program shows `vertex`.
task<shown_vertex> shown(vertex_names names, std::uint64_t vertex);

/// Returns the peak memory of the process of this PE, as reported by the system. If PEs share a
/// process, only PE 0 returns the peak, and the other PEs return 0.
std::uint64_t peak_of_own_process();

/// Copies the facts about the input from `builder` to `findings`.
void take_facts(const graph_builder& builder, graph_findings& findings);

/// Collects the facts about a built graph from all PEs. Only one task of the job calls this
/// coroutine, and waits until the facts are collected.
task<> gather_facts(global_graph graph, graph_findings& findings);

/// Awaits `check(where)`, a coroutine of the library. If the check throws an `error`
/// (wrong_result), its message is stored as `findings.wrong`, without the position in the source.
template <class Check, class Findings>
task<> keep_fault(Check check, Findings& findings, site where = site::current()) {
  try {
    co_await check(where);
  } catch (const error& failure) {
    if (failure.code() != errc::wrong_result) throw;
    findings.wrong = std::string(failure.what()).substr(to_string(where).size() + 2);
  }
}

// ---- The functions below print the facts as text and as JSON.

/// Adds `found.wrong`, the mistake that --verify found, to the text and to the JSON of the result.
void add_fault(report& result, const graph_findings& found);

/// Returns the name. A long name is shortened, without splitting a character of UTF-8.
std::string short_name(const std::string& name);

/// Returns a text such as "1 edge" or "1,500 edges".
std::string plural(std::uint64_t count, std::string_view one);

/// Returns a text such as "1 vertex" or "2,000 vertices".
std::string vertices_text(std::uint64_t count);

/// Returns a text that tells where the weights come from, such as "of the file, column 3".
std::string weights_text(const graph_findings& found);

/// If a text file had ignored columns, adds a line with their number.
void add_columns_left_out(report& result, const graph_findings& found);

/// Adds lines with the size of the graph. If the command is a benchmark, the added lines also tell
/// how the graph is stored.
void add_graph_lines(report& result, const graph_findings& found, const std::string& name);

/// Adds the sentences about how the file was understood.
void add_remarks(report& result, const std::vector<std::string>& remarks);

/// Adds the times for reading and for building the graph.
void add_graph_metrics(report& result, const graph_findings& found, bool generated);

/// Adds the sections "graph" and "per_pe" to the JSON. The section "graph" also gets the values in
/// `more`.
void add_graph_sections(report& result, const graph_findings& found, named_values more = {});

/// Returns the vertex whose name or id is `text`, the value of the flag `flag`. If the text is the
/// name of one vertex and the id of another, the vertex with the name is returned. If the file of
/// edges has names, the function refuses ids. Only one task of the job calls this coroutine, and
/// waits until the vertex has been looked up. If no vertex has the name or id `text`, throws
/// `error` (input) with the name of the flag.
task<vertex_id> vertex_of(std::string_view flag, std::string text, const graph_builder& read,
                          const graph_files& files);

/// Returns a line with the names of the vertices of a path. The middle of a long path is left out.
std::string path_text(const std::vector<std::string>& path, orientation arcs_are);

}  // namespace atl::app
