#pragma once
// Declares flags that describe an input file of edges, and the opening of such a file.

#include "atoll/graph_files.hpp"

namespace CLI {
class App;
}

namespace atl::app {

/// Width of help texts that are composed of lists.
inline constexpr std::size_t k_help_columns = 80;

/// Returns the help of an argument that is a graph: `what`, then the accepted file names.
std::string help_of_graph(std::string_view what);

/// Adds --from and --skip-lines, under `title` in the help. `files` must live as long as the
/// command.
void add_input_flags(CLI::App& command, graph_files& files, const std::string& title);

/// Adds --weights, under `title` in the help, to a command that uses weights.
void add_weights_flag(CLI::App& command, graph_files& files, const std::string& title);

/// Opens the files of edges and of names; called before either is read. A pipe, or an input such as
/// /dev/stdin, becomes a file that all PEs of this machine can read. Throws `error` (input) if the
/// flags do not fit the file.
void open_input(graph_files& files);

/// Returns whether any of --from, --skip-lines and --weights was given.
bool is_described(const input_form& form);

/// Returns a path at which this process and its forks can read the input repeatedly; "" if `path`
/// itself is one, or is missing. A pipe is copied to an unnamed file that exists as long as the
/// process. Throws `error` (environment) if the copy fails, and (input) under a launcher, whose
/// other ranks cannot open it.
std::string content_of_input(const std::string& path);

}  // namespace atl::app
