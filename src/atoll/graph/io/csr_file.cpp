// The formats .sg and .wsg of the GAP benchmarks. A file begins with a byte that is 1 if arcs have
// a direction. The numbers of arcs and of vertices follow the first byte. After the numbers, the
// file has one offset of 64 bits per vertex: the index of the vertex's first neighbour. The last
// offset is the total number of neighbours. The neighbours follow the offsets, as numbers of 32
// bits. In .wsg, the weight of the arc (32 bits) follows each neighbour. If arcs have a direction,
// offsets and neighbours for incoming arcs follow, and are not read. If arcs have no direction,
// each edge is listed at both of its endpoints.

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/write_edges.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace atl::graph {
namespace {

// Number of rows or arcs that are read in one step. Other tasks run between steps.
constexpr std::uint64_t k_rows_at_once = std::uint64_t{1} << 13;
constexpr std::uint64_t k_arcs_at_once = std::uint64_t{1} << 15;

static_assert(std::endian::native == std::endian::little);

/// The header of a file.
struct csr_head {
  bool directed = false;
  std::uint64_t arcs = 0;
  std::uint64_t vertices = 0;

  static constexpr std::uint64_t bytes = 17;
  static constexpr std::uint64_t most_vertices = std::uint64_t{1} << 31;

  /// Returns the length of a file whose neighbours take `neighbour_bytes` bytes each. Returns
  /// nothing if the declared sizes are impossible.
  std::optional<std::uint64_t> file_bytes(std::uint64_t neighbour_bytes) const;
};

/// Returns the number of bytes per neighbour: 4, or 8 with a weight.
constexpr std::uint64_t neighbour_bytes_of(bool weighted) { return weighted ? 8 : 4; }

std::optional<std::uint64_t> csr_head::file_bytes(std::uint64_t neighbour_bytes) const {
  const uint128 once = uint128(vertices + 1) * 8 + uint128(arcs) * neighbour_bytes;
  const uint128 all = bytes + once * (directed ? 2 : 1);
  if (all >> 63 != 0) return std::nullopt;
  return static_cast<std::uint64_t>(all);
}

std::optional<csr_head> csr_head_of(const input_file& file) {
  std::array<char, csr_head::bytes> first{};
  if (file.read_at(0, first) < first.size() || (first[0] != 0 && first[0] != 1))
    return std::nullopt;
  csr_head head;
  head.directed = first[0] == 1;
  std::memcpy(&head.arcs, first.data() + 1, sizeof(head.arcs));
  std::memcpy(&head.vertices, first.data() + 1 + sizeof(head.arcs), sizeof(head.vertices));
  if (head.vertices > csr_head::most_vertices) return std::nullopt;
  return head;
}

bool is_csr_file(const input_file& file, bool weighted) {
  const auto head = csr_head_of(file);
  return head && head->file_bytes(neighbour_bytes_of(weighted)) == file.size();
}

csr_head checked_head(const input_file& file, bool weighted) {
  const auto head = csr_head_of(file);
  if (!head)
    fail(errc::input,
         "{}: byte 0: the file does not begin with 0 or 1 and the numbers of arcs and "
         "vertices",
         file.path());
  if (!is_csr_file(file, weighted))
    fail(errc::input,
         "{}: byte 1: the file has {} bytes, which is not the length of one with {} "
         "arcs and {} vertices",
         file.path(), file.size(), head->arcs, head->vertices);
  return *head;
}

/// Reads a part of the file: a range of vertices. All parts have about equally many arcs.
class csr_reader final : public part_source {
 public:
  /// Opens a part. Throws `error` (input) if the length of the file does not match the declared
  /// numbers.
  csr_reader(const file_part& which, bool weighted);
  csr_reader(const csr_reader&) = delete;
  csr_reader& operator=(const csr_reader&) = delete;

  void describe(edge_list& list) const override;

  /// Reads some arcs. Errors contain the file and the byte.
  bool read_some(edge_list& list) override;
  double progress() const override;

  /// Returns the offset in the file, in bytes.
  std::uint64_t offset() const override { return place_of_arc(arc_); }

 private:
  std::uint64_t place_of_row(std::uint64_t row) const { return csr_head::bytes + 8 * row; }
  std::uint64_t place_of_arc(std::uint64_t arc) const {
    return place_of_row(head_.vertices + 1) + neighbour_bytes_ * arc;
  }
  std::uint64_t begin_of_row(std::uint64_t row) const;
  std::uint64_t first_row_of(std::uint64_t part) const;
  void read_rows();
  void check_rows() const;
  void take_arcs(std::uint64_t count, edge_list& list);
  void take(std::uint64_t index, edge_list& list);
  void next_row(edge_list& list);

  file_part which_;
  bool weighted_;
  std::uint64_t neighbour_bytes_;
  input_file file_;
  csr_head head_;
  std::uint64_t first_row_;  // first row of the part
  std::uint64_t last_row_;   // row after the last row of the part
  // Offsets of the rows from `row_of_begins_` on, followed by the end of the last row.
  std::vector<std::uint64_t> begins_;
  std::uint64_t row_of_begins_;
  std::uint64_t row_;      // the current row
  std::uint64_t arc_ = 0;  // the next arc
  std::vector<std::int32_t> neighbours_;
  both_ends ends_{which_.options};
};

csr_reader::csr_reader(const file_part& which, bool weighted)
    : which_(which),
      weighted_(weighted),
      neighbour_bytes_(neighbour_bytes_of(weighted)),
      file_(which.path, which.options.content),
      head_(checked_head(file_, weighted)),
      first_row_(first_row_of(which.part)),
      last_row_(first_row_of(which.part + 1)),
      row_of_begins_(first_row_),
      row_(first_row_) {
  arc_ = first_row_ < last_row_ ? begin_of_row(first_row_) : 0;
  if (which.part == 0 && begin_of_row(0) != 0)
    fail(errc::input, "{}: byte {}: the neighbours of the first vertex begin at {} and not at 0",
         which_.path, place_of_row(0), begin_of_row(0));
  if (which.part + 1 == which.parts && begin_of_row(head_.vertices) != head_.arcs)
    fail(errc::input, "{}: byte {}: the neighbours end at {}, and there are {} arcs", which_.path,
         place_of_row(head_.vertices), begin_of_row(head_.vertices), head_.arcs);
}

void csr_reader::describe(edge_list& list) const {
  list.undirected = !head_.directed;
  list.declared = declared_size{head_.vertices, head_.directed ? head_.arcs : head_.arcs / 2,
                                which_.path, "its head"};
  list.declared->unit = "edges";
  // If edges have no direction, a self loop may be listed only once, and the number of edges cannot
  // be checked.
  list.declared->counts_edges = head_.directed;
}

std::uint64_t csr_reader::begin_of_row(std::uint64_t row) const {
  std::uint64_t begin = 0;
  std::array<char, sizeof(begin)> bytes{};
  file_.read_exactly(place_of_row(row), bytes);
  std::memcpy(&begin, bytes.data(), sizeof(begin));
  return begin;
}

// Returns the first vertex of a part. The neighbours of the first vertex begin after the arcs of
// the earlier parts. In a damaged file, parts may be empty, but each row is in some part.
std::uint64_t csr_reader::first_row_of(std::uint64_t part) const {
  if (part == 0) return 0;
  if (part == which_.parts) return head_.vertices;
  const auto target = static_cast<std::uint64_t>(uint128(head_.arcs) * part / which_.parts);
  std::uint64_t low = 0, high = head_.vertices;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (begin_of_row(middle) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool csr_reader::read_some(edge_list& list) {
  if (row_ >= last_row_) return false;
  if (begins_.empty()) read_rows();
  take_arcs(std::min(k_arcs_at_once, begins_.back() - arc_), list);
  if (arc_ == begins_.back()) {
    while (row_ < row_of_begins_ + begins_.size() - 1) next_row(list);
    begins_.clear();
  }
  make_room_for_rest(list, progress());
  return true;
}

void csr_reader::read_rows() {
  const auto rows = std::min(k_rows_at_once, last_row_ - row_);
  begins_.resize(rows + 1);
  const std::span<char> bytes(reinterpret_cast<char*>(begins_.data()), 8 * begins_.size());
  file_.read_exactly(place_of_row(row_), bytes);
  row_of_begins_ = row_;
  check_rows();
  ends_.begin(row_);
}

void csr_reader::check_rows() const {
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
    if (begins_[i] <= begins_[i + 1] && begins_[i + 1] <= head_.arcs) continue;
    fail(errc::input, "{}: byte {}: the neighbours of vertex {} begin at {} and end at {} of {}",
         which_.path, place_of_row(row_of_begins_ + i), row_of_begins_ + i, begins_[i],
         begins_[i + 1], head_.arcs);
  }
}

void csr_reader::take_arcs(std::uint64_t count, edge_list& list) {
  neighbours_.resize(count * neighbour_bytes_ / sizeof(std::int32_t));
  const std::span<char> bytes(reinterpret_cast<char*>(neighbours_.data()),
                              count * neighbour_bytes_);
  file_.read_exactly(place_of_arc(arc_), bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    while (arc_ == begins_[row_ - row_of_begins_ + 1]) next_row(list);
    take(i, list);
    ++arc_;
  }
}

void csr_reader::take(std::uint64_t index, edge_list& list) {
  const std::int64_t neighbour = neighbours_[weighted_ ? 2 * index : index];
  const std::int64_t weight = weighted_ ? neighbours_[2 * index + 1] : 0;
  if (neighbour < 0 || static_cast<std::uint64_t>(neighbour) >= head_.vertices)
    fail(errc::input, "{}: byte {}: vertex {} has the neighbour {}, where vertices are 0 to {}",
         which_.path, place_of_arc(arc_), row_, neighbour, head_.vertices - 1);
  const auto to = static_cast<std::uint64_t>(neighbour);
  if (!head_.directed) {
    if (!ends_.take(to, weight, weighted_, list))
      fail(errc::input, "{}: byte {}: {}", which_.path, place_of_arc(arc_),
           both_ends::complaint(row_, to));
    return;
  }
  list.edges.push_back({row_, to});
  if (weighted_) list.weights.push_back(weight);
}

void csr_reader::next_row(edge_list& list) {
  if (!head_.directed && !ends_.end(weighted_, list))
    fail(errc::input, "{}: byte {}: {}", which_.path, place_of_arc(begins_[row_ - row_of_begins_]),
         both_ends::complaint(row_, row_));
  ends_.begin(++row_);
}

double csr_reader::progress() const {
  if (row_ >= last_row_) return 1;
  const auto rows = static_cast<double>(last_row_ - first_row_);
  return static_cast<double>(row_ - first_row_) / rows;
}

void check_numbers(const graph_to_write& graph) {
  if (graph.vertices > csr_head::most_vertices)
    fail(errc::input, "{}: {} has no numbers for {} vertices, only for 2^31", graph.path,
         called(graph.format.edges), graph.vertices);
  if (!needs_weights(graph.format.edges)) return;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    if (graph.weights[i] == static_cast<std::int32_t>(graph.weights[i])) continue;
    fail(errc::input, "{}: the weight {} of the edge from {} to {} does not fit 32 bits",
         graph.path, graph.weights[i], graph.edges[i].from, graph.edges[i].to);
  }
}

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append_rows(const graph_to_write& graph, const std::vector<seen_arc>& arcs, row_file& file) {
  auto& bytes = file.bytes();
  std::uint64_t begin = 0;
  for (std::uint64_t vertex = 0; vertex <= graph.vertices; ++vertex) {
    while (begin < arcs.size() && arcs[begin].from < vertex) ++begin;
    append(bytes, begin);
    file.next();
  }
  const bool weighted = needs_weights(graph.format.edges);
  for (const auto& arc : arcs) {
    append(bytes, static_cast<std::int32_t>(arc.to));
    if (weighted) append(bytes, static_cast<std::int32_t>(arc.weight));
    file.next();
  }
}

likeness by_length(const file_beginning& beginning, bool weighted) {
  const bool plain = beginning.packing == compression::none;
  return plain && is_csr_file(beginning.file, weighted) ? likeness::certain : likeness::none;
}

}  // namespace

likeness is_long_as_csr(const file_beginning& beginning) { return by_length(beginning, false); }

likeness is_long_as_weighted_csr(const file_beginning& beginning) {
  return by_length(beginning, true);
}

std::unique_ptr<part_source> open_csr(const file_part& which, file_format format) {
  return std::make_unique<csr_reader>(which, needs_weights(format.edges));
}

written_graph write_csr(graph_to_write&& graph) {
  check_numbers(graph);
  const std::uint64_t ends = graph.undirected ? 1 : 2;
  row_file file(graph, ends * (graph.vertices + 1) + 2 * graph.edges.size());
  auto& bytes = file.bytes();
  bytes += static_cast<char>(!graph.undirected);
  append(bytes, std::uint64_t{graph.edges.size() * (graph.undirected ? 2 : 1)});
  append(bytes, graph.vertices);
  if (graph.undirected) {
    append_rows(graph, sorted_arcs(graph, seen_from::both), file);
  } else {
    append_rows(graph, sorted_arcs(graph, seen_from::source), file);
    append_rows(graph, sorted_arcs(graph, seen_from::target), file);
  }
  return file.commit();
}

}  // namespace atl::graph
