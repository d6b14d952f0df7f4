#pragma once
// Declares classes and functions for the file of --output. The file of --output is checked before
// the job starts, and is written by the job.

#include "app/driver/graph_flags.hpp"
#include "atoll/error.hpp"
#include "atoll/graph_files.hpp"

#include <string>
#include <vector>

namespace atl::app {

/// Runs `action`. If `action` throws an `error`, the function puts "--output: " before the message
/// of the error.
template <class Action>
auto for_output(Action action) try {
  return action();
} catch (const error& e) {
  fail(e.code(), "--output: {}", e.what());
}

/// Returns whether this process is a rank of a launcher, but not rank 0. Only rank 0 checks files,
/// because the folder of a file might be missing on the hosts of other ranks.
bool is_on_other_rank();

/// A file that a command reads or writes. An empty path or "-" means that there is no file.
struct used_file {
  /// Name of the flag, such as "--json", or a word for what an input contains, such as "edges".
  std::string flag;
  std::string path;
};

/// Throws `error` (input) if a file would be both read and written, or written twice. A file that
/// is read and also written, or written twice, would lose its content.
void refuse_shared_files(const std::vector<used_file>& read, const std::vector<used_file>& written);

/// The file to which a result is written.
class result_output {
 public:
  /// Checks the file. An empty `path` means that no file is written. Throws the errors of
  /// `check_name(path)`, and `error` (input) if PE 0 cannot write the file.
  result_output(std::string path, void (*check_name)(const std::string&));

  bool wanted() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A file with one row for each vertex.
class vertex_output : public result_output {
 public:
  explicit vertex_output(const graph_flags& flags);

  /// Throws `error` (input) if the file of edges names the vertices, but the output format cannot
  /// hold names. In an output without names, a reader could not tell to which vertex a value
  /// belongs.
  void check_names(const vertex_names& names, bool by_file_of_edges) const;
};

/// Adds --output. `flags` must live as long as the command.
void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what);

}  // namespace atl::app
