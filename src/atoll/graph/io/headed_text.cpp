#include "atoll/graph/io/headed_text.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/dimacs.hpp"
#include "atoll/graph/io/konect.hpp"
#include "atoll/graph/io/matrix_market.hpp"

namespace atl::graph {

line_blocks whole_text(const input_file& file, compression packing, const read_options& options) {
  return {file, packing, {file.path(), 0, 1, options}};
}

std::string place_text(const line_blocks& blocks, const char* where) {
  const std::string with_colons = blocks.error_at(where, "").what();
  return with_colons.substr(0, with_colons.rfind(':'));
}

declared_size size_in_line(const line_blocks& blocks, const char* place, std::uint64_t vertices,
                           std::uint64_t edges, const char* unit) {
  declared_size declared{vertices, edges, place_text(blocks, place), "this line"};
  declared.unit = unit;
  return declared;
}

void refuse_beginning(const input_file& file, std::string_view sentence) {
  fail(errc::input, "{}:1:1: {}", file.path(), sentence);
}

std::unique_ptr<headed_text> open_headed_text(const input_file& file, file_format format,
                                              const read_options& options) {
  switch (format.edges) {
  case edge_format::mtx:
    return std::make_unique<matrix_text>(file, format.packing, options);
  case edge_format::gr:
    return std::make_unique<dimacs_text>(file, format.packing, options);
  case edge_format::konect:
    return std::make_unique<konect_text>(file, format.packing, options);
  default:
    return nullptr;
  }
}

}  // namespace atl::graph
