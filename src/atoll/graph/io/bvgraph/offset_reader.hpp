#pragma once
// Where the lists of a BVGraph begin, from the stream of the differences of these places.

#include "atoll/graph/io/bvgraph/code_reader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

/// Goes through the offsets in order, and finds earlier ones again. Memory: a quarter of a byte for
/// each that was passed.
class offset_reader {
 public:
  /// The stream must outlive this. `path` is for errors; offsets are at most `highest`.
  offset_reader(bit_reader& bits, code how, std::string path, std::uint64_t highest)
      : bits_(bits), differences_(how), path_(std::move(path)), highest_(highest) {}

  /// The node whose offset `next` gives.
  std::uint64_t node() const { return node_; }

  /// The next offset. Throws `error` (input) "FILE: ...: sentence" where there is none.
  std::uint64_t next();

  /// After the last offset. Throws `error` (input) where more follows.
  void check_end();

  /// The offset of a node that was passed. Takes up to 64 steps.
  std::uint64_t at(std::uint64_t node);

 private:
  static constexpr std::uint64_t step = 64;

  struct place {
    std::uint64_t offset;    ///< of the node before; 0 for the first one
    std::uint64_t position;  ///< of the word of the difference
  };

  bit_reader& bits_;
  code_reader differences_;
  std::string path_;
  std::uint64_t highest_;
  std::uint64_t node_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<place> places_;  // of every `step`-th node
};

}  // namespace atl::graph::bvgraph
