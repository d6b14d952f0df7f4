#include "atoll/graph/io/bvgraph/offset_reader.hpp"

#include "atoll/error.hpp"

namespace atl::graph::bvgraph {

std::uint64_t offset_reader::next() {
  const auto position = bits_.position();
  if (node_ % step == 0) places_.push_back({offset_, position});
  try {
    const auto difference = differences_.read(bits_);
    if (difference > highest_ - offset_)
      throw malformed{
          fmt::format("{} bits behind {}, where the graph has {}", difference, offset_, highest_)};
    offset_ += difference;
  } catch (const malformed& wrong) {
    fail(errc::input, "{}: the offset of node {} at bit {}: {}", path_, node_, position,
         wrong.sentence);
  }
  ++node_;
  return offset_;
}

void offset_reader::check_end() {
  const auto begin = bits_.position();
  if (bits_.only_padding_follows()) return;
  fail(errc::input, "{}: the offsets of all {} nodes end at bit {}, and the file has {} more",
       path_, node_ - 1, begin, bits_.bits() - begin);
}

std::uint64_t offset_reader::at(std::uint64_t node) {
  const auto present = bits_.position();
  const place from = places_[node / step];
  bits_.seek(from.position);
  auto offset = from.offset;
  for (std::uint64_t i = 0; i <= node % step; ++i) offset += differences_.read(bits_);
  bits_.seek(present);
  return offset;
}

}  // namespace atl::graph::bvgraph
