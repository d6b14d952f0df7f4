#include "atoll/graph/io/bvgraph/successor_list.hpp"

#include "atoll/graph/io/bvgraph/bit_reader.hpp"

#include <algorithm>
#include <numeric>

namespace atl::graph::bvgraph {
namespace {

constexpr const char* k_twice = "a successor is there twice";

}  // namespace

void successor_list::assemble(const list_form& form, const successor_list& referred) {
  size_ = 0;
  if (room_.size() < form.outdegree) room_.resize(form.outdegree);
  if (form.copied > 0) copy_blocks(form, referred);
  if (!form.intervals.empty()) add_intervals(form);
  if (!form.residuals.empty()) merge(form.residuals);
}

void successor_list::copy_blocks(const list_form& form, const successor_list& referred) {
  const std::uint64_t* from = referred.room_.data();
  std::uint64_t* to = room_.data();
  bool copies = true;
  for (const auto length : form.blocks) {
    if (copies) to = std::copy_n(from, length, to);
    from += length;
    copies = !copies;
  }
  if (copies) to = std::copy(from, referred.room_.data() + referred.size_, to);
  size_ = static_cast<std::uint64_t>(to - room_.data());
}

// Both from the back, so that nothing moves twice.

void successor_list::add_intervals(const list_form& form) {
  std::uint64_t left = size_;
  for (const auto& one : form.intervals) size_ += one.length;
  std::uint64_t* to = room_.data() + size_;
  for (auto one = form.intervals.rbegin(); one != form.intervals.rend(); ++one) {
    while (left > 0 && room_[left - 1] >= one->first + one->length) *--to = room_[--left];
    if (left > 0 && room_[left - 1] >= one->first) throw malformed{k_twice};
    to -= one->length;
    std::iota(to, to + one->length, one->first);
  }
}

void successor_list::merge(std::span<const std::uint64_t> more) {
  std::uint64_t left = size_;
  size_ += more.size();
  std::uint64_t* to = room_.data() + size_;
  bool twice = false;
  for (auto next = more.rbegin(); next != more.rend(); ++next) {
    while (left > 0 && room_[left - 1] > *next) *--to = room_[--left];
    twice |= left > 0 && room_[left - 1] == *next;
    *--to = *next;
  }
  if (twice) throw malformed{k_twice};
}

}  // namespace atl::graph::bvgraph
