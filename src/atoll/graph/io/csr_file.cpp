#include "atoll/graph/io/csr_file.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/io/room.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace atl::graph {
namespace {

// So much is read before other tasks run.
constexpr std::uint64_t k_rows_at_once = std::uint64_t{1} << 13;
constexpr std::uint64_t k_arcs_at_once = std::uint64_t{1} << 15;

static_assert(std::endian::native == std::endian::little);

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

}  // namespace

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
  list.declared->counts_edges = head_.directed;  // else one from a vertex to itself may stand once
}

std::uint64_t csr_reader::begin_of_row(std::uint64_t row) const {
  std::uint64_t begin = 0;
  std::array<char, sizeof(begin)> bytes{};
  file_.read_at(place_of_row(row), bytes);
  std::memcpy(&begin, bytes.data(), sizeof(begin));
  return begin;
}

// The first vertex whose neighbours begin after those of the parts before. Where the file is wrong,
// parts may be empty, but all rows are in some part.
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
  file_.read_at(place_of_row(row_), bytes);
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
  file_.read_at(place_of_arc(arc_), bytes);
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

}  // namespace atl::graph
