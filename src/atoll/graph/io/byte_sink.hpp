#pragma once
// A stream of bytes into a file or into memory, compressed if need be.

#include "atoll/graph/io/file_format.hpp"
#include "atoll/output_file.hpp"

#include <functional>
#include <memory>
#include <string>
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

/// Takes the bytes that come out of a sink.
using byte_target = std::function<void(std::string_view bytes)>;

std::unique_ptr<byte_sink> gzip_sink(byte_target target);
std::unique_ptr<byte_sink> zstd_sink(byte_target target);

/// `packing` may be any. The file must outlive its sink.
std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing);

/// The bytes as one gzip member, as one zstd frame, or as they are. Such pieces one after another
/// are a file, which depends on how the text was cut, and on nothing else.
std::string packed(std::string bytes, compression packing);

}  // namespace atl::graph
