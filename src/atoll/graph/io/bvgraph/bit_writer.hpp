#pragma once
// Writing a stream of bits, from the highest bit of each byte on.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/byte_sink.hpp"

#include <cstdint>
#include <string>

namespace atl::graph::bvgraph {

class bit_writer {
 public:
  /// Bytes go to `target` as they are complete, many at a time.
  explicit bit_writer(byte_target target) : target_(std::move(target)) {}

  void put(const code_word& word);
  void put(code how, std::uint64_t value) { put(word_of(how, value)); }

  /// Bits so far.
  std::uint64_t written() const { return written_; }

  /// Fills the last byte with zeros and hands over the rest. Nothing is written after it.
  void finish();

 private:
  static constexpr std::size_t buffer_bytes = 256 * 1024;

  void put_bits(std::uint64_t value, unsigned count);
  void take_bytes();

  byte_target target_;
  std::string bytes_;
  std::uint64_t written_ = 0;
  uint128 open_ = 0;  // the last bits, not yet in bytes
  unsigned open_bits_ = 0;
};

}  // namespace atl::graph::bvgraph
