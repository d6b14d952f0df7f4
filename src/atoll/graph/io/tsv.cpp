// The format .tsv. A line has two columns separated by one tab. More columns are allowed if they
// are numbers. Blanks around a column do not belong to it.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/columns.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/list_text.hpp"
#include "atoll/graph/io/names.hpp"

namespace atl::graph {
namespace {

struct columns {
  std::string_view from;
  std::string_view to;
  std::optional<std::string_view> rest;
};

columns split(const line_blocks& blocks, std::string_view line, bool may_have_more) {
  const auto tab = line.find('\t');
  const char* end = line.data() + line.size();
  if (tab == line.npos) throw blocks.error_at(end, "expected a tab and a second column");
  const auto rest = line.substr(tab + 1);
  const auto next = rest.find('\t');
  columns result{without_blanks(line.substr(0, tab)), without_blanks(rest.substr(0, next)), {}};
  if (result.from.empty()) throw blocks.error_at(line.data(), "the first column is empty");
  if (next != rest.npos && !may_have_more)
    throw blocks.error_at(rest.data() + next,
                          "expected the end of the line, found a third column; where it holds "
                          "weights, they are numbers in the first line too, or --weights says "
                          "which column has them");
  if (next != rest.npos) result.rest = rest.substr(next + 1);
  if (result.to.empty()) throw blocks.error_at(rest.data(), "the second column is empty");
  return result;
}

bool has_edge(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first != line.npos && !is_comment(line[first]);
}

// Calls `take(columns)` for every edge, until `take` returns false. Returns true if `take` never
// returned false.
template <class Take>
bool for_each_edge(const line_blocks& blocks, std::string_view text, const list_head& head,
                   edge_list& list, Take take) {
  further_columns further(blocks, head, list);
  const bool two_only = head.columns == 2 && head.weight_column == 0;
  const char* end = text.data() + text.size();
  for (const char* begin = text.data(); begin != end; ++list.lines) {
    const char* next = next_line(begin);
    const auto line = without_end_of_line(begin, next);
    begin = next;
    if (!has_edge(line)) continue;
    const columns found = split(blocks, line, head.may_have_more);
    if (!take(found)) return false;
    if (found.rest || !two_only) further.read_tabbed(line, found.rest);
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

// Adds 1 to the number of words if `name` is not an integer. A few words among many integers cause
// a remark.
void count_word(std::string_view name, edge_list& list) {
  std::uint64_t ignored = 0;
  if (read_vertex(name, ignored) != vertex_text::other) return;
  if (list.words++ == 0) list.first_word = error(errc::input, shown(name));
}

/// Appends edges as numbers, and stops at the first endpoint that is not an integer. Returns true
/// if all endpoints are integers. If the call returns false, endpoints are names, and the caller
/// must drop the edges appended so far. An error for an integer out of range is stored as
/// `list.deferred`.
bool read_numbers(const line_blocks& blocks, std::string_view text, const list_head& head,
                  edge_list& list) {
  return for_each_edge(blocks, text, head, list, [&](const columns& line) {
    edge e{0, 0};
    if (!read_number(blocks, line.from, e.from, list)) return false;
    if (!read_number(blocks, line.to, e.to, list)) return false;
    list.edges.push_back(e);
    return true;
  });
}

void read_names(const line_blocks& blocks, std::string_view text, const list_head& head,
                name_dictionary& names, edge_list& list) {
  for_each_edge(blocks, text, head, list, [&](const columns& line) {
    const auto from = read_name(blocks, line.from, names);
    list.edges.push_back({from, read_name(blocks, line.to, names)});
    for (const auto end : {line.from, line.to}) count_word(end, list);
    return true;
  });
}

class tsv_source final : public list_source {
 public:
  using list_source::list_source;

  void finish(edge_list& list) override { list.names = std::move(names_).take(); }

 private:
  void parse(std::string_view text, edge_list& list) override {
    if (list.uses_names)
      read_names(blocks(), text, head(), names_, list);
    else if (!read_numbers(blocks(), text, head(), list))
      begin_again_as_names(list);
  }

  name_dictionary names_;
};

}  // namespace

std::unique_ptr<part_source> open_tsv(const file_part& which, file_format format) {
  return std::make_unique<tsv_source>(which, format);
}

}  // namespace atl::graph
