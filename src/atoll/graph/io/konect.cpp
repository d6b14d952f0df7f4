// The files out.NAME of KONECT, a collection of graphs from Koblenz. A file begins with the line "%
// sym|asym|bip WEIGHTS". The next line is usually "% EDGES LEFT RIGHT". Each of the following lines
// has an edge, with or without a weight and a time. If weights tell how many edges a line stands
// for, a line without a weight stands for one edge. If weights mean anything else and a line has no
// weight, no edge of the graph has a weight. In a bipartite graph (bip), edges connect two sets,
// each counted from 1. Vertices of the right set are numbered after the vertices of the left set.

#include "atoll/graph/io/headed_text.hpp"

#include <algorithm>
#include <array>

namespace atl::graph {
namespace {

constexpr std::uint64_t k_most_vertices = largest_vertex;
constexpr std::string_view k_unweighted = "unweighted";
// If the head contains this word, the weight of a line tells how many edges the line stands for.
constexpr std::string_view k_counts = "positive";
constexpr std::array<std::string_view, 3> k_shapes = {"sym", "asym", "bip"};
constexpr std::array<std::string_view, 9> k_weights = {
    k_unweighted, k_counts,        "posweighted", "signed",          "multisigned",
    "weighted",   "multiweighted", "dynamic",     "multiposweighted"};

bool has_no_edge(const char* line) {
  const char* const text = skip_blanks(line);
  return *text == '%' || at_end_of_line(text);
}

bool is_integer(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

// Returns true if the line has three numbers after the mark of a comment, and nothing else.
bool holds_size(const line_blocks& blocks, const char* line) {
  line_fields fields(blocks, line);
  if (fields.word() != "%") return false;
  for (int i = 0; i < 3; ++i) {
    if (!is_integer(fields.word())) return false;
  }
  return fields.at_end();
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  const auto word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

bool begins_as_konect(std::string_view text) {
  auto line = text.substr(0, text.find('\n'));
  return next_word(line) == "%" && std::ranges::count(k_shapes, next_word(line)) == 1 &&
         std::ranges::count(k_weights, next_word(line)) == 1 && next_word(line).empty();
}

class konect_text final : public headed_text {
 public:
  /// Reads the head. Throws `error` (input) if the head is invalid. If the head does not tell the
  /// number of vertices of the left set, the call reads the whole file to find it.
  konect_text(const input_file& file, compression packing, const read_options& options);

  void read(const line_blocks& blocks, std::string_view text, edge_list& list) const override;

 private:
  enum class shape : std::uint8_t { symmetric, asymmetric, bipartite };

  void read_kind(const line_blocks& blocks, const char* line);
  void read_size(const line_blocks& blocks, const char* line);
  void count_left(const input_file& file, compression packing, const read_options& options);
  void read_weight(const line_blocks& blocks, line_fields& fields, edge_list& list) const;
  void read_edge(const line_blocks& blocks, const char* line, edge_list& list) const;

  shape shape_ = shape::symmetric;
  bool weighted_ = false;
  bool counts_ = false;       // whether weights tell how many edges a line stands for
  std::uint64_t left_;        // largest first endpoint
  std::uint64_t right_;       // largest second endpoint
  std::uint64_t before_ = 0;  // number of vertices before the right set
};

konect_text::konect_text(const input_file& file, compression packing, const read_options& options)
    : left_(k_most_vertices), right_(k_most_vertices) {
  std::uint64_t lines = 0;
  const auto take = [&](const line_blocks& blocks, const char* line) {
    if (lines == 0) read_kind(blocks, line);
    if (lines == 1 && holds_size(blocks, line)) read_size(blocks, line);
    return ++lines == 2;
  };
  read_first_lines(file, packing, options, take);
  if (lines == 0)
    refuse_beginning(file, "expected '% sym', '% asym' or '% bip', found an empty file");
  undirected_ = shape_ != shape::asymmetric;
  if (shape_ == shape::bipartite && !declared_) count_left(file, packing, options);
  if (shape_ == shape::bipartite) before_ = left_;
}

void konect_text::read_kind(const line_blocks& blocks, const char* line) {
  line_fields fields(blocks, line);
  fields.take_word("%", "'% sym', '% asym' or '% bip'");
  const auto of_shape = fields.take_one_of(k_shapes, "'sym', 'asym' or 'bip'");
  shape_ = static_cast<shape>(of_shape);
  const auto of_weights = fields.take_one_of(k_weights, "a kind of weights, such as 'unweighted'");
  weighted_ = k_weights[of_weights] != k_unweighted;
  counts_ = k_weights[of_weights] == k_counts;
  fields.finish();
}

void konect_text::read_size(const line_blocks& blocks, const char* line) {
  line_fields fields(blocks, line);
  fields.word();
  const char* const place = fields.place();
  const auto edges = fields.count("the number of edges");
  left_ = fields.count("the number of vertices");
  const char* const place_of_right = fields.place();
  right_ = fields.count("the number of vertices");
  auto vertices = std::max(left_, right_);
  if (shape_ == shape::bipartite) {
    vertices = left_ + right_;
    if (vertices > k_most_vertices)
      throw blocks.error_at(place_of_right, "both sets together have 2^48 vertices or more");
  } else {
    left_ = right_ = vertices;
  }
  declared_ = size_in_line(blocks, place, vertices, edges, "edges");
}

// The function ignores errors in a line. The reader of the edges reports errors in lines, because
// the first error of the file must be reported.
void konect_text::count_left(const input_file& file, compression packing,
                             const read_options& options) {
  left_ = 0;
  try {
    read_first_lines(file, packing, options, [&](const line_blocks& blocks, const char* line) {
      if (!has_no_edge(line))
        left_ = std::max(left_, line_fields(blocks, line).vertex("vertex", k_most_vertices) + 1);
      return false;
    });
  } catch (const error& e) {
    if (e.code() != errc::input) throw;
  }
  right_ = k_most_vertices - left_;
}

void konect_text::read(const line_blocks& blocks, std::string_view text, edge_list& list) const {
  for_each_line(blocks, text, list, [&](const char* line) {
    if (!has_no_edge(line)) read_edge(blocks, line, list);
  });
}

// The column of the weight may be missing. If weights tell how many edges a line stands for
// (`counts_`), a line without a weight stands for one edge. Any other missing weight is unknown.
void konect_text::read_weight(const line_blocks& blocks, line_fields& fields,
                              edge_list& list) const {
  if (!fields.at_end()) {
    fields.add_weight(list);
  } else if (counts_) {
    add_weight(1, list);
  } else if (!list.has_lost_weights()) {
    lose_weights(list, blocks.error_at(fields.place(), "the line has no weight"));
  }
}

void konect_text::read_edge(const line_blocks& blocks, const char* line, edge_list& list) const {
  line_fields fields(blocks, line);
  edge e{};
  e.from = fields.vertex("vertex", left_);
  e.to = fields.vertex("vertex", right_) + before_;
  if (weighted_) {
    read_weight(blocks, fields, list);
  } else if (!fields.at_end()) {
    fields.pass_number("a weight");
  }
  if (!fields.at_end()) fields.pass_number("a time");
  fields.finish();
  list.edges.push_back(e);
}

}  // namespace

likeness begins_konect(const file_beginning& beginning) {
  return begins_as_konect(beginning.text) ? likeness::certain : likeness::none;
}

std::unique_ptr<part_source> open_konect(const file_part& which, file_format format) {
  return open_headed<konect_text>(which, format);
}

edge_lines konect_lines(const graph_outline& outline) {
  const auto n = outline.vertices, m = outline.edges;
  return {fmt::format("% {} {}\n% {} {} {}\n", outline.undirected ? "sym" : "asym",
                      outline.weighted ? "weighted" : k_unweighted, m, n, n),
          "", ' ', 1};
}

}  // namespace atl::graph
