#pragma once
// What a person says of a file of edges, beyond its name.

#include "atoll/graph_files.hpp"

namespace CLI {
class App;
}

namespace atl::app {

/// How wide texts of flags are that are made of lists.
inline constexpr std::size_t k_help_columns = 80;

/// The help of an argument that is a graph: `what` it is, and how such files are named.
std::string help_of_graph(std::string_view what);

/// Adds --from and --skip-lines, under `title` in the help. `files` lives as long as the command.
void add_input_flags(CLI::App& command, graph_files& files, const std::string& title);

/// Adds --weights likewise, to a command that uses weights.
void add_weights_flag(CLI::App& command, graph_files& files, const std::string& title);

/// Before anything is read of the files of edges and of names: a pipe, or what stands behind
/// /dev/stdin, becomes a file that all PEs of this machine can read. Throws `error` (input) where
/// the flags do not go with the file.
void open_input(graph_files& files);

/// Whether anything was said.
bool is_described(const input_form& form);

/// Where the content of a file can be read again and again, by this process and those it forks:
/// "" for a regular file, or where there is none. A pipe is read to its end, into a file without a
/// name that is there as long as the process. Throws `error` (environment) where that fails, and
/// (input) where other processes could not see it.
std::string content_of_input(const std::string& path);

}  // namespace atl::app
