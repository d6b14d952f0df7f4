#include "atoll/graph/io/headed_text.hpp"

#include "atoll/error.hpp"

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

void headed_source::describe(edge_list& list) const {
  list.declared = text_->declared();
  list.undirected = text_->undirected();
}

bool headed_source::read_some(edge_list& list) {
  const auto text = blocks_.next();
  if (text.empty()) return false;
  text_->read(blocks_, text, list);
  return true;
}

}  // namespace atl::graph
