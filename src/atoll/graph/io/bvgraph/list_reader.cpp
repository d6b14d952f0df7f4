#include "atoll/graph/io/bvgraph/list_reader.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/bvgraph/codes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

// Both lists are merged backwards, beginning with their last elements, so that each element moves
// at most once.

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

list_reader::list_reader(const std::string& path, const parameters& of)
    : file_(path),
      bits_(file_),
      window_(std::min(of.window, of.nodes)),
      forms_(of),
      lists_(window_),
      degrees_(window_) {}

std::span<const std::uint64_t> list_reader::next() {
  auto& list = lists_[node_];
  make(node_, [this](std::uint64_t node) -> const successor_list& { return lists_[node]; }, list);
  ++node_;
  return list.all();
}

void list_reader::pass() {
  const auto begin = position();
  try {
    forms_.read(bits_, node_, [this](std::uint64_t node) { return degrees_[node]; }, form_);
  } catch (const malformed& wrong) {
    refuse(node_, begin, wrong);
  }
  degrees_[node_++] = form_.outdegree;
}

/// Reads the list of `node` at the current position. If the list of `node` refers to the list of an
/// earlier node n, `list_of(n)` must return that list.
template <class ListOf>
void list_reader::make(std::uint64_t node, ListOf list_of, successor_list& list) {
  const auto begin = position();
  try {
    forms_.read(bits_, node, [&](std::uint64_t n) { return list_of(n).size(); }, form_);
    list.assemble(form_, list_of(node - form_.reference));
  } catch (const malformed& wrong) {
    refuse(node, begin, wrong);
  }
}

void list_reader::start_at(std::uint64_t node, offset_reader& offsets) {
  const auto first = node - std::min(node, window_);
  for (auto before = first; before < node; ++before) {
    make_with_references(before, first, offsets);
  }
  bits_.seek(offsets.at(node));
  node_ = node;
}

/// Makes the list of `node` and stores it with the last lists. The lists of nodes from `first_made`
/// on are stored already.
void list_reader::make_with_references(std::uint64_t node, std::uint64_t first_made,
                                       offset_reader& offsets) {
  const auto chain = chain_of(node, first_made, offsets);
  successor_list referred, made;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    if (*at >= first_made && *at < node) {
      referred = lists_[*at];
      continue;
    }
    bits_.seek(offsets.at(*at));
    make(*at, [&](std::uint64_t) -> const successor_list& { return referred; }, made);
    std::swap(referred, made);
  }
  lists_[node] = std::move(referred);
}

/// Returns a chain of nodes. The chain begins with `node`, and the list of each node refers to the
/// list of the next node. The chain ends at a list that is stored already or has no reference.
std::vector<std::uint64_t> list_reader::chain_of(std::uint64_t node, std::uint64_t first_made,
                                                 offset_reader& offsets) {
  std::vector<std::uint64_t> chain;
  for (auto at = node;;) {
    chain.push_back(at);
    if (at >= first_made && at < node) return chain;
    bits_.seek(offsets.at(at));
    const auto begin = position();
    try {
      const auto reference = forms_.read_head(bits_, at).reference;
      if (reference == 0) return chain;
      at -= reference;
    } catch (const malformed& wrong) {
      refuse(at, begin, wrong);
    }
  }
}

void list_reader::check_end() {
  const auto begin = position();
  if (bits_.only_padding_follows()) return;
  fail(errc::input, "{}: the lists of all {} nodes end at bit {}, and the file has {} more",
       file_.path(), node_, begin, bits() - begin);
}

void list_reader::refuse(std::uint64_t node, std::uint64_t position, const malformed& wrong) const {
  fail(errc::input, "{}: node {} at bit {}: {}", file_.path(), node, position, wrong.sentence);
}

}  // namespace atl::graph::bvgraph
