// The format .gr of the 9th DIMACS challenge (shortest paths). The line "p sp VERTICES ARCS" comes
// before all arcs. Each arc has a line "a FROM TO WEIGHT". Lines that begin with c are comments.

#include "atoll/graph/io/headed_text.hpp"

namespace atl::graph {
namespace {

bool has_no_arc(const char* line) {
  const char* const text = skip_blanks(line);
  return *text == 'c' || at_end_of_line(text);
}

bool begins_as_dimacs(std::string_view text) {
  while (text.starts_with("c\n") || text.starts_with("c ") || text.starts_with("c\r")) {
    const auto end = text.find('\n');
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return text.starts_with("p sp ");
}

class dimacs_text final : public headed_text {
 public:
  /// Reads the lines up to the line "p sp". Throws `error` (input) if the line "p sp" is missing or
  /// invalid.
  dimacs_text(const input_file& file, compression packing, const read_options& options);

  void read(const line_blocks& blocks, std::string_view text, edge_list& list) const override;

 private:
  void read_problem(const line_blocks& blocks, const char* line);

  std::uint64_t vertices_ = 0;
  std::uint64_t first_arc_ = 0;  // offset in the text where arcs may begin
};

dimacs_text::dimacs_text(const input_file& file, compression packing, const read_options& options) {
  const auto take = [&](const line_blocks& blocks, const char* line) {
    if (has_no_arc(line)) return false;
    read_problem(blocks, line);
    return true;
  };
  const auto end = read_first_lines(file, packing, options, take);
  if (!end) refuse_beginning(file, "the file has no line 'p sp VERTICES ARCS'");
  first_arc_ = *end;
}

void dimacs_text::read_problem(const line_blocks& blocks, const char* line) {
  line_fields fields(blocks, line);
  fields.take_word("p", "'p sp', as the first line that is no comment begins");
  fields.take_word("sp", "'sp', the problem of shortest paths");
  vertices_ = fields.count("the number of vertices");
  const char* const place = fields.place();
  const auto arcs = fields.count("the number of arcs");
  fields.finish();
  declared_ = size_in_line(blocks, place, vertices_, arcs, "arcs");
}

void dimacs_text::read(const line_blocks& blocks, std::string_view text, edge_list& list) const {
  for_each_line(blocks, text, list, [&](const char* line) {
    if (blocks.offset_of(line) < first_arc_ || has_no_arc(line)) return;
    line_fields fields(blocks, line);
    fields.take_word("a", "'a', as an arc begins");
    edge arc{};
    arc.from = fields.vertex("vertex", vertices_);
    arc.to = fields.vertex("vertex", vertices_);
    fields.add_weight(list);
    fields.finish();
    list.edges.push_back(arc);
  });
}

}  // namespace

likeness begins_dimacs(const file_beginning& beginning) {
  return begins_as_dimacs(beginning.text) ? likeness::certain : likeness::none;
}

std::unique_ptr<part_source> open_dimacs(const file_part& which, file_format format) {
  return open_headed<dimacs_text>(which, format);
}

edge_lines dimacs_lines(const graph_outline& outline) {
  return {fmt::format("p sp {} {}\n", outline.vertices, outline.edges), "a ", ' ', 1};
}

}  // namespace atl::graph
