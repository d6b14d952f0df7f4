#pragma once
// Declares the file of --output, which is checked before the job and written by the job.

#include "app/driver/graph_flags.hpp"
#include "atoll/error.hpp"
#include "atoll/graph_files.hpp"

#include <string>
#include <vector>

namespace atl::app {

/// Runs `action`; an `error` that it throws is prefixed by the flag.
template <class Action>
auto for_output(Action action) try {
  return action();
} catch (const error& e) {
  fail(e.code(), "--output: {}", e.what());
}

/// Returns whether this process is a rank of a launcher other than 0. Such ranks skip checks of
/// files, because their host may lack the folder.
bool is_on_other_rank();

/// A file that a command reads or writes; the paths "" and "-" mean none.
struct used_file {
  std::string flag;  ///< the flag, such as "--json"; for an input its content: "edges"
  std::string path;
};

/// Throws `error` (input) if a file to be written is also read, or is written twice, because its
/// content would be lost.
void refuse_shared_files(const std::vector<used_file>& read, const std::vector<used_file>& written);

/// The file to which a result is written.
class result_output {
 public:
  /// Checks the file; a `path` of "" means none. Throws `error` (input) if `check_name(path)` does,
  /// or if PE 0 cannot write the file.
  result_output(std::string path, void (*check_name)(const std::string&));

  bool wanted() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A file with a row for each vertex.
class vertex_output : public result_output {
 public:
  explicit vertex_output(const graph_flags& flags);

  /// Throws `error` (input) if the file of edges has names instead of ids and the format of the
  /// output cannot hold names. Numbers would mean nothing to a reader then.
  void check_names(const vertex_names& names, bool by_file_of_edges) const;
};

/// Adds --output. `flags` must live as long as the command.
void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what);

}  // namespace atl::app
