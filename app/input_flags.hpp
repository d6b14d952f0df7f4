#pragma once
// Declares the flags that describe an input file of edges, and functions that open such a file.

#include "atoll/graph_files.hpp"

namespace CLI {
class App;
}

namespace atl::app {

/// Width in characters of help texts that are composed of lists.
inline constexpr std::size_t k_help_columns = 80;

/// Returns the help of an argument that names a graph: the text `what`, followed by the accepted
/// file names.
std::string help_of_graph(std::string_view what);

/// Adds --from and --skip-lines. The help lists them under `title`. `files` must live as long as
/// the command.
void add_input_flags(CLI::App& command, graph_files& files, const std::string& title);

/// Adds --weights to a command that uses weights. The help lists the flag under `title`.
void add_weights_flag(CLI::App& command, graph_files& files, const std::string& title);

/// Opens the files of edges and of names. Must be called before one of them is read. A pipe, or an
/// input such as /dev/stdin, is replaced by a file that all PEs of this machine can read. Throws
/// `error` (input) if the flags do not fit the file.
void open_input(graph_files& files);

/// Returns whether any of --from, --skip-lines and --weights was given.
bool is_described(const input_form& form);

/// Returns the path of a file with the content of `path` that this process and its forks can read
/// repeatedly. If `path` itself is such a file, or does not exist, returns an empty text. A pipe is
/// copied to an unnamed file that exists as long as this process. Throws `error` (environment) if
/// copying fails. Throws `error` (input) under a launcher, because its other ranks cannot open the
/// copy.
std::string content_of_input(const std::string& path);

}  // namespace atl::app
