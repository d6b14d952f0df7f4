#pragma once
// A stream of bytes into a file, compressed if need be.

#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/output_file.hpp"

#include <memory>
#include <string_view>

namespace atl::graph {

class byte_sink {
 public:
  virtual ~byte_sink() = default;

  /// Throws `error` (environment) when the file takes no more.
  virtual void write(std::string_view bytes) = 0;

  /// Writes what the compression still holds. Nothing is written after it.
  virtual void finish() = 0;
};

// The file must outlive its sink.
std::unique_ptr<byte_sink> gzip_sink(output_file& file);
std::unique_ptr<byte_sink> zstd_sink(output_file& file);

/// `packing` may be any.
std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing);

}  // namespace atl::graph
