#include "atoll/graph/io/columns.hpp"

#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/room.hpp"

namespace atl::graph {
namespace {

constexpr bool is_separator(char c) { return c == ',' || c == ';'; }
constexpr bool ends_column(char c) { return ends_field(c) || is_separator(c); }

// As titles begin: an id in quotes is none, but an error.
bool begins_title(const char* text) {
  if (*text == '"' || *text == '\'') ++text;
  const char c = *text;
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Where the first column begins, if the line is to have an edge.
const char* first_column(const char* line) {
  const char* text = skip_blanks(line);
  const bool comment = is_comment(*text) || (*text == '/' && text[1] == '/');
  return comment || at_end_of_line(text) ? nullptr : text;
}

const char* skip_separator(const char* text) {
  text = skip_blanks(text);
  return is_separator(*text) ? skip_blanks(text + 1) : text;
}

// An empty column is told by the separator behind it.
std::string_view column_at(const char* text) {
  if (is_separator(*text)) return {text, 1};
  const char* end = text;
  if (!at_end_of_line(end)) {
    do ++end;
    while (!ends_column(*end));
  }
  return {text, static_cast<std::size_t>(end - text)};
}

std::uint64_t read_id(const line_blocks& blocks, std::string_view column) {
  std::uint64_t id = 0;
  if (read_vertex(column, id) == vertex_text::number) return id;
  throw blocks.error_at(column.data(), vertex_complaint(column));
}

}  // namespace

std::optional<std::uint64_t> begin_of_titles(const input_file& file, compression packing,
                                             const read_options& options) {
  file_part whole;
  whole.path = file.path();
  whole.options = options;
  line_blocks blocks(file, packing, whole);
  for (auto text = blocks.next(); !text.empty(); text = blocks.next()) {
    const char* end = text.data() + text.size();
    for (const char* line = text.data(); line != end; line = next_line(line)) {
      const char* first = first_column(line);
      if (first == nullptr) continue;
      return begins_title(first) ? std::optional(blocks.offset_of(line)) : std::nullopt;
    }
  }
  return std::nullopt;
}

void read_columns(const line_blocks& blocks, std::string_view text,
                  std::optional<std::uint64_t> titles, edge_list& list) {
  const char* end = text.data() + text.size();
  for (const char* line = text.data(); line != end; ++list.lines, line = next_line(line)) {
    const char* first = first_column(line);
    if (first == nullptr || blocks.offset_of(line) == titles) continue;
    const auto from = column_at(first);
    const auto from_id = read_id(blocks, from);
    const auto to = column_at(skip_separator(from.data() + from.size()));
    list.edges.push_back({from_id, read_id(blocks, to)});
  }
  make_room_for_rest(list, blocks.progress());
}

}  // namespace atl::graph
