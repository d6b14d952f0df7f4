#pragma once
// The file of --output: a row for each vertex. It is made before the job starts, on PE 0 only,
// filled by the job, and has its name once the result stands.

#include "app/benchmark.hpp"
#include "app/graph_flags.hpp"
#include "atoll/graph/write_vertices.hpp"
#include "atoll/output_file.hpp"

#include <optional>
#include <string>

namespace atl::app {

class vertex_output {
 public:
  /// Without --output, does nothing in the end. Throws `error` (input) if the file cannot be
  /// written, or is one that is read.
  explicit vertex_output(const graph_flags& flags);

  bool wanted() const { return file_.has_value(); }
  vertex_format format() const { return format_; }

  /// Throws `error` (input) where vertices have names and not ids in the file of edges, and the
  /// output has no place for them: their numbers mean nothing to who reads it.
  void check_names(bool named) const;

  /// Takes the bytes of the file on PE 0, and shows on a terminal how far that is. Throws `error`
  /// (environment). Lives no longer than this.
  file_taker taker();

  /// Gives the file its name. Throws `error` (environment).
  void commit();

 private:
  std::string path_;
  vertex_format format_;
  std::optional<output_file> file_;
  progress_line progress_;
};

/// Adds --output. `flags` lives as long as the command.
void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what);

}  // namespace atl::app
