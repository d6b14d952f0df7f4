#pragma once
// The file of --output: all keys in order. It is made before the job starts, on PE 0 only, filled
// by the job, and has its name once the result stands.

#include "app/progress_line.hpp"
#include "app/sort_flags.hpp"
#include "atoll/graph/io/byte_sink.hpp"
#include "atoll/output_file.hpp"

#include <memory>
#include <optional>

namespace atl::app {

class sort_output {
 public:
  /// Without --output, does nothing in the end. Throws `error` (input) if the file cannot be
  /// written, or is the one that is read.
  explicit sort_output(const sort_flags& flags);

  bool wanted() const { return !path_.empty(); }
  bool is_array() const { return is_array_; }

  /// On PE 0, the bytes in order; `done` is the share of the keys so far. Throws `error`
  /// (environment).
  void write(std::string_view bytes, double done);

  /// Gives the file its name. Throws `error` (environment).
  void commit();

 private:
  std::string path_;
  bool is_array_ = false;
  std::optional<output_file> file_;
  std::unique_ptr<graph::byte_sink> sink_;
  progress_line progress_;
};

}  // namespace atl::app
