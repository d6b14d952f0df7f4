#pragma once
// The file of --output. It is checked before the job starts, and the job writes it.

#include "app/driver/graph_flags.hpp"
#include "atoll/error.hpp"
#include "atoll/graph_files.hpp"

#include <string>
#include <vector>

namespace atl::app {

/// What `action` throws names the flag.
template <class Action>
auto for_output(Action action) try {
  return action();
} catch (const error& e) {
  fail(e.code(), "--output: {}", e.what());
}

/// Whether this is a rank of a launcher other than PE 0. All ranks come here, and the host of
/// another one may have no such folder.
bool is_on_other_rank();

/// A file that a command reads or writes; "" and "-" are none.
struct used_file {
  std::string flag;  ///< that names it: "--json"; for an input what it holds: "edges"
  std::string path;
};

/// Throws `error` (input) where a file to be written is one that is read, or is to be written
/// twice: whatever it holds would be lost.
void refuse_shared_files(const std::vector<used_file>& read, const std::vector<used_file>& written);

/// The file of a result.
class result_output {
 public:
  /// "" is none. Throws `error` (input) where `check_name`, which is given the path, does, or if PE
  /// 0 cannot write the file.
  result_output(std::string path, void (*check_name)(const std::string&));

  bool wanted() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A row for each vertex.
class vertex_output : public result_output {
 public:
  explicit vertex_output(const graph_flags& flags);

  /// Throws `error` (input) where vertices have names and not ids in the file of edges, and the
  /// output has no place for them: their numbers mean nothing to a reader.
  void check_names(const vertex_names& names, bool by_file_of_edges) const;
};

/// Adds --output. `flags` lives as long as the command.
void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what);

}  // namespace atl::app
