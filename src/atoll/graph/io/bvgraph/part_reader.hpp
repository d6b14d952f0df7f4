#pragma once
// Reading a part of a BVGraph, for who does something else in between. Parts are ranges of nodes
// whose lists take about equal numbers of bits.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/bvgraph/bit_reader.hpp"
#include "atoll/graph/io/bvgraph/bit_writer.hpp"
#include "atoll/graph/io/bvgraph/files.hpp"
#include "atoll/graph/io/bvgraph/list_reader.hpp"
#include "atoll/graph/io/bvgraph/offset_reader.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "atoll/graph/io/file_part.hpp"
#include "atoll/graph/io/input_file.hpp"
#include "atoll/graph/io/part_source.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace atl::graph::bvgraph {

class part_reader final : public part_source {
 public:
  /// Throws `error` (input) for properties that are wrong, or cannot be those of the file.
  explicit part_reader(const file_part& which);
  part_reader(const part_reader&) = delete;
  part_reader& operator=(const part_reader&) = delete;

  void describe(edge_list& list) const override { list.declared = declared(); }

  /// Its errors name file, node and bit.
  bool read_some(edge_list& list) override;

  /// What the properties say.
  declared_size declared() const {
    return {parameters_.nodes, parameters_.arcs, files_.graph, files_.properties};
  }

  double progress() const override;

  /// In bits.
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
  std::uint64_t begin_;  // the lists of this part begin here or later,
  std::uint64_t end_;    // and before this place
  stage stage_ = stage::reading;
  std::optional<input_file> offset_file_;
  std::optional<bit_reader> offset_bits_;  // of that file, or as they were found
  std::optional<offset_reader> offsets_;
  std::string found_offsets_;
  std::optional<bit_writer> found_;  // into those
  std::uint64_t offset_;
  double scan_seconds_ = 0;
};

}  // namespace atl::graph::bvgraph
