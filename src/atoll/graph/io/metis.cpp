// The format METIS. The first line is "VERTICES EDGES [FORMAT [WEIGHTS]]". After the first line,
// the file has a line for each vertex. If FORMAT declares a size and weights of vertices, the line
// of a vertex begins with them. The line of a vertex then lists its neighbours, each with the
// weight of the edge if FORMAT declares weights of edges. Edges have no direction. Each edge is
// listed at both endpoints, and a self loop is listed twice or once. Lines that begin with % are
// comments, and a blank line is a vertex without neighbours.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/headed_text.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace atl::graph {
namespace {

// Number of bytes in which lines are counted in one step. Other tasks run between steps.
constexpr std::uint64_t k_counted_bytes = std::uint64_t{1} << 20;

file_part with_any_line(file_part which) {
  which.options.any_length = true;
  return which;
}

/// Returns the part of the file whose lines this reader reads: the whole file if the text is
/// compressed.
file_part seen_part(const file_part& which, compression packing) {
  if (packing == compression::none) return which;
  return {which.path, 0, 1, which.options};
}

/// Returns the number of lines in the text that belong to vertices. The text must consist of whole
/// lines.
std::uint64_t rows_in(std::string_view lines) {
  std::uint64_t rows = 0;
  const char* const end = lines.data() + lines.size();
  for (const char* line = lines.data(); line != end; line = next_line(line)) rows += *line != '%';
  return rows;
}

bool is_format(std::string_view word) {
  constexpr std::size_t digits = 3;
  return !word.empty() && word.size() <= digits &&
         std::ranges::all_of(word, [](char c) { return c == '0' || c == '1'; });
}

/// Returns true if the text has only digits, blanks and comments.
bool may_be_lines(std::string_view text) {
  if (text.empty()) return true;
  const bool begins = is_digit(text[0]) || is_blank(text[0]) || text[0] == '%';
  return begins && text.find('\0') == text.npos;
}

/// The declarations in the first line.
struct metis_head {
  /// Reads the first line. Throws `error` (input) if the line is invalid.
  metis_head(const input_file& file, compression packing, const read_options& options);

  declared_size declared;
  // How many numbers precede the neighbours of a vertex: its size and its weights.
  std::uint64_t numbers_of_vertex = 0;
  bool weighted = false;
  std::uint64_t first_row = 0;  // offset in the text where the lines of vertices begin

 private:
  void read(const line_blocks& blocks, const char* line);
};

/// Reads a part. A line belongs to the vertex whose number is the number of earlier lines of
/// vertices. A reader of a part of a plain file must therefore count the lines of earlier parts.
class metis_reader final : public part_source {
 public:
  /// Opens a part. Throws `error` (input) if the first line is invalid, or if the file cannot be
  /// read.
  metis_reader(const file_part& which, compression packing);
  metis_reader(const metis_reader&) = delete;
  metis_reader& operator=(const metis_reader&) = delete;

  void describe(edge_list& list) const override;
  bool read_some(edge_list& list) override;
  double progress() const override { return blocks_.progress(); }
  std::uint64_t offset() const override { return blocks_.offset(); }

 private:
  bool is_counting() const { return counted_ < begin_; }
  void count_some(edge_list& list);
  void read_block(std::string_view text, edge_list& list);
  void read_line(const char* line, edge_list& list);
  void read_row(const char* line, edge_list& list);

  file_part which_;
  compression packing_;
  input_file file_;
  metis_head head_;
  line_blocks blocks_;
  std::uint64_t begin_;    // offset where the part begins, in a plain file
  std::uint64_t counted_;  // offset up to which lines were counted
  std::uint64_t blocks_seen_ = 0;
  std::uint64_t row_ = 0;  // vertex to which the next line belongs
  both_ends ends_{which_.options};
};

metis_head::metis_head(const input_file& file, compression packing, const read_options& options) {
  const auto take = [&](const line_blocks& blocks, const char* line) {
    if (*line == '%') return false;
    read(blocks, line);
    return true;
  };
  const auto end = read_first_lines(file, packing, options, take);
  if (!end) refuse_beginning(file, "the file has no line of the numbers of vertices and edges");
  first_row = *end;
}

void metis_head::read(const line_blocks& blocks, const char* line) {
  line_fields fields(blocks, line);
  const auto vertices = fields.count("the number of vertices");
  const char* const place = fields.place();
  const auto edges = fields.count("the number of edges");
  declared = size_in_line(blocks, place, vertices, edges, "edges");
  declared.has_rows = true;
  if (fields.at_end()) return;
  line_fields format = fields;
  const auto word = fields.word();
  if (!is_format(word)) format.refuse("a format of three digits, 0 or 1");
  const auto flag = [&](std::size_t from_right) {
    return word.size() > from_right && word[word.size() - 1 - from_right] == '1';
  };
  weighted = flag(0);
  numbers_of_vertex = (flag(1) ? 1 : 0) + (flag(2) ? 1 : 0);
  if (fields.at_end()) return;
  line_fields weights = fields;
  const auto count = fields.count("the number of weights of a vertex");
  if (count > 0 && !flag(1)) weights.refuse("no weights of vertices, as the format has none");
  numbers_of_vertex = count + (flag(2) ? 1 : 0);
  fields.finish();
}

metis_reader::metis_reader(const file_part& which, compression packing)
    : which_(with_any_line(which)),
      packing_(packing),
      file_(which_.path, which_.options.content),
      head_(file_, packing, which_.options),
      blocks_(file_, packing, seen_part(which_, packing)),
      begin_(packing == compression::none ? blocks_.offset() : 0),
      counted_(head_.first_row) {}

void metis_reader::describe(edge_list& list) const {
  list.declared = head_.declared;
  list.undirected = true;
}

bool metis_reader::read_some(edge_list& list) {
  if (is_counting()) {
    count_some(list);
    return true;
  }
  const auto text = blocks_.next();
  if (text.empty()) return false;
  const bool mine = packing_ == compression::none || blocks_seen_++ % which_.parts == which_.part;
  if (mine) {
    read_block(text, list);
  } else {
    const auto in_head = std::min<std::uint64_t>(
        text.size(), head_.first_row - std::min(head_.first_row, blocks_.offset_of(text.data())));
    row_ += rows_in(text.substr(in_head));
  }
  return true;
}

void metis_reader::count_some(edge_list& list) {
  const auto start = std::chrono::steady_clock::now();
  const auto wanted = std::min(k_counted_bytes, begin_ - counted_);
  // The first byte of the range tells whether a line begins at the second byte. The last byte of
  // the range tells whether a "\r" before it ends a line.
  std::vector<char> bytes(wanted + 2, '\n');
  const auto count = file_.read_at(counted_ - 1, bytes);
  const auto some = std::min<std::uint64_t>(wanted, count - std::min<std::size_t>(count, 1));
  end_lines_alike(std::span(bytes).first(some + 1));
  const std::string_view text(bytes.data(), some + 1);
  row_ += static_cast<std::uint64_t>(std::ranges::count(text.substr(1), '\n'));
  for (auto at = text.find("\n%"); at != text.npos; at = text.find("\n%", at + 1)) --row_;
  counted_ = some < wanted ? begin_ : counted_ + wanted;
  list.scan_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void metis_reader::read_block(std::string_view text, edge_list& list) {
  for_each_line(blocks_, text, list, [&](const char* line) {
    if (blocks_.offset_of(line) >= head_.first_row && *line != '%') read_line(line, list);
  });
}

// Blank lines may follow after the line of the last vertex.
void metis_reader::read_line(const char* line, edge_list& list) {
  if (row_ < head_.declared.vertices) {
    read_row(line, list);
    ++list.found.rows;
  } else if (!at_end_of_line(skip_blanks(line))) {
    line_fields(blocks_, line)
        .refuse(fmt::format("no more than {} lines of vertices", head_.declared.vertices));
  }
  ++row_;
}

void metis_reader::read_row(const char* line, edge_list& list) {
  line_fields fields(blocks_, line);
  const char* const begin = fields.place();
  for (std::uint64_t i = 0; i < head_.numbers_of_vertex; ++i)
    fields.count("a size or weight of the vertex");
  ends_.begin(row_);
  while (!fields.at_end()) {
    const char* const place = fields.place();
    const auto neighbour = fields.vertex("neighbour", head_.declared.vertices);
    const auto weight = head_.weighted ? fields.read_weight(list) : 0;
    if (!ends_.take(neighbour, weight, head_.weighted, list))
      throw blocks_.error_at(place, both_ends::complaint(row_ + 1, neighbour + 1));
  }
  if (!ends_.end(head_.weighted, list))
    throw blocks_.error_at(begin, both_ends::complaint(row_ + 1, row_ + 1));
}

/// Returns remarks on edges that the program METIS would reject.
std::vector<std::string> unusual_edges_of(const graph_to_write& graph) {
  std::vector<std::string> notes;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view which) {
    if (count == 0) return;
    notes.push_back(fmt::format("METIS itself takes no {}s{}, and {} has {}", one, which,
                                graph.path, grouped_digits(count)));
  };
  std::vector<edge> edges = graph.edges;
  add(self_loops_of(edges), "edge", " from a vertex to itself");
  add(sort_and_count_duplicates(edges, false), "edge", " that stand there before");
  const auto low = [](std::int64_t weight) { return weight < 1; };
  add(static_cast<std::uint64_t>(std::ranges::count_if(graph.weights, low)), "weight", " below 1");
  return notes;
}

void write_rows(const graph_to_write& graph, row_file& file) {
  const bool weighted = !graph.weights.empty();
  auto& bytes = file.bytes();
  bytes = fmt::format("{} {}{}\n", graph.vertices, graph.edges.size(), weighted ? " 1" : "");
  const auto arcs = sorted_arcs(graph, seen_from::both);
  auto arc = arcs.begin();
  for (std::uint64_t vertex = 0; vertex < graph.vertices; ++vertex) {
    for (bool first = true; arc != arcs.end() && arc->from == vertex; ++arc, first = false) {
      if (!first) bytes += ' ';
      fmt::format_to(std::back_inserter(bytes), "{}", arc->to + 1);
      if (weighted) fmt::format_to(std::back_inserter(bytes), " {}", arc->weight);
    }
    bytes += '\n';
    file.next();
  }
}

}  // namespace

likeness may_be_metis(const file_beginning& beginning) {
  const auto shared = traits_of(edge_format::metis).shared_ending;
  const bool is_named_so = ending_of_content(beginning.file.path()) == shared;
  return is_named_so && may_be_lines(beginning.text) ? likeness::possible : likeness::none;
}

std::unique_ptr<part_source> open_metis(const file_part& which, file_format format) {
  return std::make_unique<metis_reader>(which, format.packing);
}

written_graph write_metis(graph_to_write&& graph) {
  row_file file(graph, graph.vertices);
  auto notes = unusual_edges_of(graph);
  write_rows(graph, file);
  auto written = file.commit();
  written.notes = std::move(notes);
  return written;
}

}  // namespace atl::graph
