#pragma once
// What people and programs read about the graph a command has worked on.

#include "app/graph_findings.hpp"
#include "app/report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// Names may be long: cut between characters of UTF-8.
std::string short_name(const std::string& name);

/// "1 edge", "1,500 edges".
std::string plural(std::uint64_t count, std::string_view one);

/// "1 vertex", "2,000 vertices".
std::string vertices_text(std::uint64_t count);

/// Its size and balance, for people.
void add_graph_lines(report& result, const graph_findings& found);

/// What a reader must know of how the file was understood.
void add_remarks(report& result, const std::vector<std::string>& remarks);

/// What it took to read and to build it.
void add_graph_metrics(report& result, const graph_findings& found, bool generated);

/// What programs read: "graph", with `more` of it, and "per_pe".
void add_graph_sections(report& result, const graph_findings& found, named_values more = {});

}  // namespace atl::app
