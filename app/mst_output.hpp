#pragma once
// The file of --output of `atoll mst`: the edges of the forest with their weights. It is made
// before the job starts, on PE 0 only, and has its name once the result stands.

#include "app/mst_flags.hpp"
#include "atoll/graph/io/write_edges.hpp"

#include <optional>

namespace atl::app {

class mst_output {
 public:
  /// Without --output, does nothing in the end. Throws `error` (input) if the file cannot be
  /// written, or is one that is read.
  explicit mst_output(const mst_flags& flags);

  bool wanted() const { return writer_.has_value(); }

  /// Throws `error` (environment).
  void write(edge of, std::int64_t weight);

  /// Gives the file its name. Throws `error` (environment).
  void commit();

 private:
  std::optional<edge_writer> writer_;
};

}  // namespace atl::app
