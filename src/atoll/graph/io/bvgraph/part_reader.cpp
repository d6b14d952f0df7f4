// Reads a part of a BVGraph in steps; between steps, the caller can do other work. A part is a
// range of nodes. All parts have about the same number of bits.

#include "atoll/error.hpp"
#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_reader.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace atl::graph::bvgraph {
namespace {

// Number of edges and nodes that are read in one step. Other tasks run between steps.
constexpr std::uint64_t k_steps_of_reading = std::uint64_t{1} << 15;
constexpr std::uint64_t k_steps_of_scanning = std::uint64_t{1} << 12;
constexpr std::uint64_t k_steps_of_seeking = std::uint64_t{1} << 15;

// The number of edges in the rest of a part is estimated as soon as this share of the part has been
// read.
constexpr double k_told_by = 1.0 / 64;

std::uint64_t begin_of_part(std::uint64_t bits, std::uint64_t part, std::uint64_t parts) {
  return static_cast<std::uint64_t>(uint128(bits) * part / parts);
}

/// Appends the edges of a node to a vector. The capacity is checked once and not for each edge.
class edges_from {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = edge;
  using difference_type = std::ptrdiff_t;
  using pointer = const edge*;
  using reference = edge;

  edges_from(std::uint64_t node, const std::uint64_t* to) : node_(node), to_(to) {}
  edge operator*() const { return {node_, *to_}; }
  edges_from& operator++() { return ++to_, *this; }
  edges_from& operator--() { return --to_, *this; }
  edges_from& operator+=(difference_type count) { return to_ += count, *this; }
  friend difference_type operator-(edges_from a, edges_from b) { return a.to_ - b.to_; }
  friend bool operator==(edges_from a, edges_from b) { return a.to_ == b.to_; }

 private:
  std::uint64_t node_;
  const std::uint64_t* to_;
};

class part_reader final : public part_source {
 public:
  /// Opens a part. Throws `error` (input) if a property is wrong, or if the file cannot have as
  /// many nodes as the properties declare.
  explicit part_reader(const file_part& which);
  part_reader(const part_reader&) = delete;
  part_reader& operator=(const part_reader&) = delete;

  void describe(edge_list& list) const override { list.declared = declared(); }

  /// Reads some lists. Errors contain the file, the node and the bit.
  bool read_some(edge_list& list) override;

  /// Returns the size that the properties declare.
  declared_size declared() const {
    return {parameters_.nodes, parameters_.arcs, files_.graph, files_.properties};
  }

  double progress() const override;

  /// Returns the offset of the current list, in bits.
  std::uint64_t offset() const override { return offset_; }

 private:
  enum class stage : std::uint8_t { scanning, seeking, reading, done };

  void open_offsets();
  void scan_some();
  void seek_some();
  void start_at(std::uint64_t node, std::uint64_t place);
  void read_lists(edge_list& list);
  void append_list(edge_list& list);
  void check_place_of_next();
  bool at_end() const;

  files files_;
  parameters parameters_;
  list_reader lists_;
  std::uint64_t begin_;  // position in bits at or after which the first list of this part begins
  std::uint64_t end_;    // position in bits before which all lists of this part begin
  stage stage_ = stage::reading;
  std::optional<input_file> offset_file_;
  // Bits of the offsets file, or of the offsets found by `scan_some`.
  std::optional<bit_reader> offset_bits_;
  std::optional<offset_reader> offsets_;
  std::string found_offsets_;
  std::optional<bit_writer> found_;  // writes the offsets that `scan_some` finds
  std::uint64_t offset_;
  double scan_seconds_ = 0;
};

part_reader::part_reader(const file_part& which)
    : files_(which.path),
      parameters_(parameters_of(read_properties(files_.properties))),
      lists_(files_.graph, parameters_),
      begin_(begin_of_part(lists_.bits(), which.part, which.parts)),
      end_(which.part + 1 == which.parts
               ? ~std::uint64_t{0}
               : begin_of_part(lists_.bits(), which.part + 1, which.parts)),
      offset_(begin_) {
  if (parameters_.nodes > lists_.bits())
    fail(errc::input, "{}: nodes={}: {} has {} bits, and each node takes one or more",
         files_.properties, parameters_.nodes, files_.graph, lists_.bits());
  if (parameters_.nodes == 0) {
    stage_ = which.part == 0 ? stage::reading : stage::done;
  } else if (std::filesystem::exists(files_.offsets)) {
    open_offsets();
  } else if (which.part > 0) {
    stage_ = stage::scanning;
  }
}

void part_reader::open_offsets() {
  offset_file_.emplace(files_.offsets);
  offset_bits_.emplace(*offset_file_);
  offsets_.emplace(*offset_bits_, parameters_.offsets, files_.offsets, lists_.bits());
  stage_ = stage::seeking;
}

bool part_reader::read_some(edge_list& list) {
  switch (stage_) {
  case stage::scanning:
    scan_some();
    break;
  case stage::seeking:
    seek_some();
    break;
  case stage::reading:
    read_lists(list);
    if (progress() > k_told_by) make_room_for_rest(list, progress());
    break;
  case stage::done:
    return false;
  }
  list.scan_seconds = scan_seconds_;
  return true;
}

/// Skips lists of other parts, and records the offsets of the lists in the form of an offsets file.
void part_reader::scan_some() {
  const auto start = std::chrono::steady_clock::now();
  if (!found_) {
    found_.emplace([this](std::string_view bytes) { found_offsets_ += bytes; });
    found_->put(parameters_.offsets, 0);
  }
  const auto last = std::min(parameters_.nodes, lists_.node() + k_steps_of_scanning);
  while (lists_.position() < begin_ && lists_.node() < last) {
    offset_ = lists_.position();
    lists_.pass();
    found_->put(parameters_.offsets, lists_.position() - offset_);
  }
  if (lists_.node() == parameters_.nodes) {
    stage_ = stage::done;
  } else if (lists_.position() >= begin_) {
    found_->finish();
    offset_bits_.emplace(std::move(found_offsets_));
    offsets_.emplace(*offset_bits_, parameters_.offsets, files_.graph, lists_.bits());
    offset_ = begin_;
    stage_ = stage::seeking;
  }
  scan_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void part_reader::seek_some() {
  for (std::uint64_t step = 0; step < k_steps_of_seeking && stage_ == stage::seeking; ++step) {
    const auto node = offsets_->node();
    const auto place = node == parameters_.nodes ? end_ : offsets_->next();
    if (place >= end_) {
      stage_ = stage::done;
    } else if (place >= begin_) {
      start_at(node, place);
    }
  }
}

void part_reader::start_at(std::uint64_t node, std::uint64_t place) {
  if (node == 0 && place != 0)
    fail(errc::input, "{}: node 0 begins at bit {}, and not at the beginning", files_.offsets,
         place);
  lists_.start_at(node, *offsets_);
  offset_ = place;
  stage_ = stage::reading;
}

void part_reader::read_lists(edge_list& list) {
  offset_ = lists_.position();
  const auto last_edge = list.edges.size() + k_steps_of_reading;
  const auto last_node = lists_.node() + k_steps_of_reading;
  while (!at_end() && list.edges.size() < last_edge && lists_.node() < last_node) append_list(list);
  if (!at_end()) return;
  if (lists_.node() == parameters_.nodes) {
    lists_.check_end();
    if (offset_file_) offsets_->check_end();
  }
  stage_ = stage::done;
}

void part_reader::append_list(edge_list& list) {
  const auto node = lists_.node();
  const auto successors = lists_.next();
  if (offset_file_) check_place_of_next();
  if (successors.size() > parameters_.arcs - list.count())
    refuse_size(declared(), parameters_.arcs + 1);
  const auto* const first = successors.data();
  list.edges.insert(list.edges.end(), edges_from(node, first),
                    edges_from(node, first + successors.size()));
}

void part_reader::check_place_of_next() {
  const auto place = offsets_->next();
  if (place == lists_.position()) return;
  fail(
      errc::input,
      "{}: node {} begins at bit {}, but at bit {} of {}; without the file of offsets a scan finds "
      "them",
      files_.offsets, lists_.node(), place, lists_.position(), files_.graph);
}

bool part_reader::at_end() const {
  return lists_.node() == parameters_.nodes || lists_.position() >= end_;
}

double part_reader::progress() const {
  if (stage_ == stage::done) return 1;
  if (stage_ != stage::reading) return 0;
  const auto all = std::min(end_, lists_.bits()) - begin_;
  if (all == 0) return 1;
  return static_cast<double>(lists_.position() - begin_) / static_cast<double>(all);
}

}  // namespace
}  // namespace atl::graph::bvgraph

std::unique_ptr<atl::graph::part_source> atl::graph::open_bvgraph(const file_part& which,
                                                                  file_format) {
  return std::make_unique<bvgraph::part_reader>(which);
}
