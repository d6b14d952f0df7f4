#include "atoll/graph/io/tsv.hpp"

#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/name_text.hpp"
#include "atoll/graph/io/room.hpp"

namespace atl::graph {
namespace {

struct columns {
  std::string_view from;
  std::string_view to;
};

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

columns split(const line_blocks& blocks, std::string_view line) {
  const auto tab = line.find('\t');
  const char* end = line.data() + line.size();
  if (tab == line.npos) throw blocks.error_at(end, "expected a tab and a second column");
  const auto rest = line.substr(tab + 1);
  const columns result{without_spaces(line.substr(0, tab)), without_spaces(rest)};
  if (result.from.empty()) throw blocks.error_at(line.data(), "the first column is empty");
  if (const auto next = rest.find('\t'); next != rest.npos) {
    throw blocks.error_at(rest.data() + next, "expected the end of the line, found a third column");
  }
  if (result.to.empty()) throw blocks.error_at(rest.data(), "the second column is empty");
  return result;
}

bool has_edge(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first != line.npos && !is_comment(line[first]);
}

// Calls `take(columns)` for every edge, until it returns false. Returns whether it never did.
template <class Take>
bool for_each_edge(const line_blocks& blocks, std::string_view text, edge_list& list, Take take) {
  const char* end = text.data() + text.size();
  for (const char* begin = text.data(); begin != end; ++list.lines) {
    const char* next = next_line(begin);
    const auto line = without_end_of_line(begin, next);
    if (has_edge(line) && !take(split(blocks, line))) return false;
    begin = next;
  }
  make_room_for_rest(list, blocks.progress());
  return true;
}

bool read_number(const line_blocks& blocks, std::string_view field, std::uint64_t& id,
                 edge_list& list) {
  const auto kind = read_vertex(field, id);
  if (kind == vertex_text::out_of_range && !list.deferred) {
    list.deferred = blocks.error_at(field.data(), vertex_complaint(field));
  }
  return kind != vertex_text::other;
}

std::uint64_t read_name(const line_blocks& blocks, std::string_view name,
                        name_dictionary& dictionary) {
  const auto fault = fault_of_name(name);
  if (!fault.complaint.empty())
    throw blocks.error_at(name.data() + fault.position, fault.complaint);
  return dictionary.number_of(name);
}

}  // namespace

bool read_tsv_numbers(const line_blocks& blocks, std::string_view text, edge_list& list) {
  return for_each_edge(blocks, text, list, [&](const columns& line) {
    edge e{0, 0};
    if (!read_number(blocks, line.from, e.from, list)) return false;
    if (!read_number(blocks, line.to, e.to, list)) return false;
    list.edges.push_back(e);
    return true;
  });
}

void read_tsv_names(const line_blocks& blocks, std::string_view text, name_dictionary& names,
                    edge_list& list) {
  for_each_edge(blocks, text, list, [&](const columns& line) {
    const auto from = read_name(blocks, line.from, names);
    list.edges.push_back({from, read_name(blocks, line.to, names)});
    return true;
  });
}

}  // namespace atl::graph
