#pragma once
// Decompresses bytes with zlib and zstd directly.

#include "atoll/graph/io/file_format.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <zlib.h>
#include <zstd.h>

namespace unpacking {

inline std::string from_gzip(std::string_view bytes) {
  z_stream stream{};
  ::inflateInit2(&stream, 16 + MAX_WBITS);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  std::array<char, 65536> some;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(some.data());
    stream.avail_out = static_cast<uInt>(some.size());
    const auto status = ::inflate(&stream, Z_NO_FLUSH);
    const bool good = status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
    if (!good) throw std::runtime_error("no gzip");
    text.append(some.data(), some.size() - stream.avail_out);
    if (status == Z_STREAM_END) ::inflateReset(&stream);
  } while (stream.avail_in > 0 || stream.avail_out == 0);
  ::inflateEnd(&stream);
  return text;
}

inline std::string from_zstd(std::string_view bytes) {
  ZSTD_DCtx* const state = ::ZSTD_createDCtx();
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::string text;
  std::array<char, 65536> some;
  ZSTD_outBuffer output{some.data(), some.size(), 0};
  do {
    output.pos = 0;
    if (::ZSTD_isError(::ZSTD_decompressStream(state, &output, &input)))
      throw std::runtime_error("no zstd");
    text.append(some.data(), output.pos);
  } while (input.pos < input.size || output.pos == output.size);
  ::ZSTD_freeDCtx(state);
  return text;
}

}  // namespace unpacking

/// Returns the decompressed text. Throws an error if the bytes are not a valid gzip or zstd file.
inline std::string unpacked(std::string_view bytes, atl::compression packing) {
  switch (packing) {
  case atl::compression::gzip:
    return unpacking::from_gzip(bytes);
  case atl::compression::zstd:
    return unpacking::from_zstd(bytes);
  case atl::compression::none:
    break;
  }
  return std::string(bytes);
}
