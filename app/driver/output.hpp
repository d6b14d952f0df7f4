#pragma once
// The file of --output. It is made before the job starts, on PE 0 only, filled by the job, and has
// its name once the result stands.

#include "app/driver/graph_flags.hpp"
#include "app/driver/progress_line.hpp"
#include "atoll/error.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/output_file.hpp"

#include <optional>
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

/// Throws `error` (input) if `path` is the file of `what` that is read, `input`.
void refuse_to_replace(const std::string& path, const std::string& input, const char* what);

/// A file that a command reads or writes; "" and "-" are none.
struct used_file {
  std::string flag;  ///< that names it: "--json"; for an input what it holds: "edges"
  std::string path;
};

/// Throws `error` (input) where a file to be written is one that is read, or is to be written
/// twice: whatever it holds would be lost.
void refuse_shared_files(const std::vector<used_file>& read, const std::vector<used_file>& written);

/// What every kind of output does.
class result_output {
 public:
  result_output() = default;
  virtual ~result_output() = default;
  result_output(const result_output&) = delete;
  result_output& operator=(const result_output&) = delete;

  /// The file was asked for, and this process makes it.
  virtual bool wanted() const = 0;

  virtual const std::string& path() const = 0;

  /// Gives the file its name. Throws `error` (environment).
  virtual void commit() = 0;
};

/// A row for each vertex.
class vertex_output : public result_output {
 public:
  /// Without --output, does nothing in the end. Throws `error` (input) if the file cannot be
  /// written, or is one that is read.
  explicit vertex_output(const graph_flags& flags);

  bool wanted() const override { return file_.has_value(); }
  const std::string& path() const override { return path_; }
  vertex_format format() const { return format_; }

  /// Throws `error` (input) where vertices have names and not ids in the file of edges, and the
  /// output has no place for them: their numbers mean nothing to a reader.
  void check_names(bool named) const;

  /// Takes the bytes of the file on PE 0, and shows on a terminal how far that is. Throws `error`
  /// (environment). Lives no longer than this.
  file_taker taker();

  void commit() override;

 private:
  std::string path_;
  vertex_format format_;
  std::optional<output_file> file_;
  progress_line progress_;
};

/// Writes the file of a result of the library, where it is wanted. One task calls it, on PE 0.
/// Blocks the task. Throws `error`.
template <class Result>
task<> write_result(Result result, const result_output& output) {
  if (!output.wanted()) co_return;
  try {
    co_await result.write(output.path());
  } catch (const error& failure) {
    fail(failure.code(), "--output: {}", failure.what());
  }
}

/// A row for each vertex, as a result of the library writes it.
class library_output : public result_output {
 public:
  /// Throws `error` (input) if the file cannot be written, or is one that is read.
  explicit library_output(const graph_flags& flags);

  bool wanted() const override { return !path_.empty(); }
  const std::string& path() const override { return path_; }

  /// As `vertex_output::check_names`.
  void check_names(const vertex_names& names, bool by_file_of_edges) const;

  void commit() override {}

 private:
  std::string path_;
};

/// Adds --output. `flags` lives as long as the command.
void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what);

}  // namespace atl::app
