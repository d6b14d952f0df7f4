#pragma once
// Checks that must hold for any bytes in a file of edges. The fuzzers, and the test that replays
// the inputs of their corpus, share this header. A failed check throws an exception.

#include "../graph/naive_formats.hpp"
#include "../graph/reading.hpp"
#include "../graph/scratch_file.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace edge_checks {

/// A file in memory, which needs no disk.
class memory_file {
 public:
  explicit memory_file(std::string_view content) : descriptor_(::memfd_create("edges", 0)) {
    const auto written = ::write(descriptor_, content.data(), content.size());
    if (written != static_cast<ssize_t>(content.size())) throw std::runtime_error("no memory file");
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// The formats that each fuzzer reads. The inputs of a corpus store a format as an index into one
/// of three arrays, so the order of the formats must not change.
inline constexpr atl::edge_format own_formats[] = {atl::edge_format::el, atl::edge_format::wel,
                                                   atl::edge_format::tsv};
inline constexpr atl::edge_format published_formats[] = {atl::edge_format::txt,
                                                         atl::edge_format::csv};
inline constexpr atl::edge_format headed_formats[] = {
    atl::edge_format::mtx, atl::edge_format::gr, atl::edge_format::konect, atl::edge_format::metis};

/// The first bytes of the fuzzer's input determine how the file is read, and the remaining bytes
/// are the content of the file.
struct task {
  explicit task(std::span<const std::uint8_t> input,
                std::span<const atl::edge_format> formats = own_formats) {
    const auto take = [&] {
      const unsigned value = input.empty() ? 0 : input.front();
      input = input.subspan(input.empty() ? 0 : 1);
      return value;
    };
    const auto kind = take();
    format.edges = formats[kind % formats.size()];
    format.packing = static_cast<atl::compression>(kind / formats.size() % 3);
    parts = 2 + take() % 6;
    options.longest_line = 8 + take();
    options.format = format;
    content.assign(input.begin(), input.end());
  }

  atl::file_format format;
  std::uint64_t parts = 2;
  atl::read_options options;
  std::string content;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

inline std::string packed(const std::string& text, atl::compression packing) {
  switch (packing) {
  case atl::compression::gzip:
    return gzipped(text);
  case atl::compression::zstd:
    return zstd_packed(text);
  case atl::compression::none:
    break;
  }
  return text;
}

inline void compare(const whole_graph& found, const naive::graph& expected,
                    const std::string& path) {
  require(found.error.has_value() == expected.error.has_value(), found.error.value_or("no error"));
  if (expected.error) {
    require(reading::place_in(*found.error, path) == *expected.error, *found.error);
    return;
  }
  require(found.edges == naive::sorted_edges(expected), "other edges");
  require(found.lines == expected.lines, "other number of lines");
  require(found.uses_names == expected.uses_names, "names and ids mistaken");
  require(found.uneven_lines == expected.uneven_lines, "other lines with other columns");
  if (expected.vertices)
    require(found.declared && found.declared->vertices == *expected.vertices, "other sizes");
}

/// Returns true if the reader refuses a file with `content` because of its first bytes. The reader
/// refuses compressed data in a file with the name of a text, unsupported compressions, and UTF-16.
inline bool is_refused(std::string_view content) {
  const auto block = content.size() < 7 ? std::string_view() : content.substr(4, 3);
  const bool is_bzip2 = content.starts_with("BZh") && (block == "1AY" || block == "\x17rE");
  static constexpr std::string_view begins[] = {"\x1f\x8b",
                                                "\x28\xb5\x2f\xfd",
                                                "\xfd"
                                                "7zXZ",
                                                "PK\x03\x04",
                                                "\xff\xfe",
                                                "\xfe\xff"};
  return is_bzip2 ||
         std::ranges::any_of(begins, [&](auto begin) { return content.starts_with(begin); });
}

/// Checks text, plain or compressed. Reading in one part and in several parts must agree with the
/// naive reader.
inline void check_text(std::span<const std::uint8_t> input,
                       std::span<const atl::edge_format> formats = own_formats) {
  const task given(input, formats);
  const auto expected =
      naive::read_any(given.content, given.format.edges, given.options.longest_line);
  const memory_file file(packed(given.content, given.format.packing));
  const bool refused = given.format.packing == atl::compression::none && is_refused(given.content);
  for (const auto parts : {std::uint64_t{1}, given.parts}) {
    const auto found = read_whole(file.path(), parts, given.options);
    if (refused) {
      require(found.error.has_value(), "data that is not read taken for text");
    } else {
      compare(found, expected, file.path());
    }
  }
}

/// Checks files in published formats. Reading in one part and in several parts must agree with the
/// naive reader.
inline void check_published(std::span<const std::uint8_t> input) {
  check_text(input, published_formats);
}

/// Checks formats with a header. Reading in one part and in several parts must agree with the naive
/// reader.
inline void check_headed(std::span<const std::uint8_t> input) { check_text(input, headed_formats); }

/// Checks any bytes as compressed data. Reading in one part and in several parts must agree.
inline void check_packed(std::span<const std::uint8_t> input) {
  const task given(input);
  const memory_file file(given.content);
  const auto one = read_whole(file.path(), 1, given.options);
  const auto several = read_whole(file.path(), given.parts, given.options);
  require(one.error.has_value() == several.error.has_value(), "an error in some parts only");
  require(one.error || one.edges == several.edges, "other edges in several parts");
}

/// Checks any bytes in a file whose name does not imply a format. The content alone determines the
/// format. Reading the file in one part and in several parts must have the same result. The first
/// byte of the input determines the number of parts.
inline void check_recognised(std::span<const std::uint8_t> input) {
  const std::uint64_t parts = 2 + (input.empty() ? 0 : input.front() % 6);
  const auto content = input.subspan(input.empty() ? 0 : 1);
  const memory_file file({reinterpret_cast<const char*>(content.data()), content.size()});
  const auto one = read_whole(file.path(), 1);
  const auto several = read_whole(file.path(), parts);
  require(one.error.has_value() == several.error.has_value(), "an error in some parts only");
  require(one.error || one.edges == several.edges, "other edges in several parts");
}

}  // namespace edge_checks
