#pragma once
// The form in which a BVGraph stores the list of a node's successors. First, the form tells which
// successors are copied from an earlier list, the *reference*. Next, the form lists intervals:
// ranges of consecutive successors. The form ends with the *residuals*: the successors that are
// neither copied nor in an interval.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::graph::bvgraph {

/// A range of consecutive successors.
struct interval {
  std::uint64_t first = 0;
  std::uint64_t length = 0;

  friend bool operator==(const interval&, const interval&) = default;
};

struct list_form {
  std::uint64_t outdegree = 0;
  /// Distance to the node whose list is the reference; 0 if there is no reference.
  std::uint64_t reference = 0;
  /// Lengths of the blocks into which the reference is divided. The first block is copied, the next
  /// one is skipped, and so on. If the number of blocks is even, the rest of the reference is
  /// copied too. Only the first length may be 0.
  std::vector<std::uint64_t> blocks;
  std::uint64_t copied = 0;  ///< number of copied successors
  std::vector<interval> intervals;
  std::vector<std::uint64_t> residuals;  ///< the other successors, in increasing order

  void clear() {
    outdegree = reference = copied = 0;
    blocks.clear();
    intervals.clear();
    residuals.clear();
  }
};

// Data about the last nodes of a BVGraph.

/// Stores one element per node, for the last `window` nodes and the current node. The list of the
/// current node may refer to the list of any of the last `window` nodes.
template <class Element>
class recent {
 public:
  explicit recent(std::uint64_t window) : elements_(std::bit_ceil(window + 1)) {}

  Element& operator[](std::uint64_t node) { return elements_[node & (elements_.size() - 1)]; }

 private:
  std::vector<Element> elements_;
};

// Makes the form of a list with a given reference, and computes its cost in bits.

/// Makes the `list_form` of one list after another: the form in which a BVGraph stores the list.
/// The object reuses its memory.
class form_maker {
 public:
  /// Makes an object. Intervals will have at least `min_interval` successors. If `min_interval` is
  /// 0, forms have no intervals.
  explicit form_maker(std::uint64_t min_interval) : min_interval_(min_interval) {}

  /// Makes the form of a list without a reference.
  void make(std::span<const std::uint64_t> list, list_form& form);

  /// Makes the form of a list whose reference is the list of an earlier node. `reference` is the
  /// distance to the earlier node, and `referred` is the list of the earlier node.
  void make(std::span<const std::uint64_t> list, std::uint64_t reference,
            std::span<const std::uint64_t> referred, list_form& form);

 private:
  void add_extras(std::span<const std::uint64_t> extras, list_form& form) const;

  std::uint64_t min_interval_;
  std::vector<std::uint64_t> extras_;
};

/// Calls `visit(code, value)` for the code words of the list of `node`, in the order of the stream.
template <class Visit>
void for_each_word(const list_form& form, std::uint64_t node, const parameters& of, Visit visit) {
  const auto from_node = [node](std::uint64_t successor) {
    return natural_of(static_cast<std::int64_t>(successor - node));
  };
  visit(of.outdegrees, form.outdegree);
  if (form.outdegree == 0) return;
  if (of.window > 0) visit(of.references, form.reference);
  if (form.reference > 0) {
    visit(of.block_counts, form.blocks.size());
    for (std::size_t i = 0; i < form.blocks.size(); ++i)
      visit(of.blocks, form.blocks[i] - (i == 0 ? 0 : 1));
  }
  if (form.copied == form.outdegree) return;
  if (of.min_interval > 0) {
    visit(parameters::intervals, form.intervals.size());
    std::uint64_t after = 0;
    for (const auto& [first, length] : form.intervals) {
      visit(parameters::intervals, after == 0 ? from_node(first) : first - after - 1);
      visit(parameters::intervals, length - of.min_interval);
      after = first + length;
    }
  }
  for (std::size_t i = 0; i < form.residuals.size(); ++i)
    visit(of.residuals,
          i == 0 ? from_node(form.residuals[0]) : form.residuals[i] - form.residuals[i - 1] - 1);
}

/// Returns the number of bits of the list of `node` in the stream.
std::uint64_t bits_of(const list_form& form, std::uint64_t node, const parameters& of);

// Reads lists from the bits of a BVGraph, without copying from their references.

/// The beginning of a list: its length and its reference.
struct list_head {
  std::uint64_t outdegree = 0;
  std::uint64_t reference = 0;
};

/// Reads the `list_form` of one list after another. The memory grows only with the data that were
/// read, so wrong sizes in the bits cannot exhaust memory.
class form_reader {
 public:
  explicit form_reader(const parameters& of);

  /// Reads only the head of the list of `node`. Throws `malformed` if the bits are wrong.
  list_head read_head(bit_reader& bits, std::uint64_t node) const;

  /// Reads the list of `node`. `degree_of(n)` must return the outdegree of an earlier node n in the
  /// window. Throws `malformed` if the bits are not a valid list.
  template <class DegreeOf>
  void read(bit_reader& bits, std::uint64_t node, DegreeOf degree_of, list_form& form) const {
    form.clear();
    const list_head head = read_head(bits, node);
    form.outdegree = head.outdegree;
    form.reference = head.reference;
    if (head.reference > 0) read_blocks(bits, degree_of(node - head.reference), form);
    if (form.copied < form.outdegree) read_extras(bits, node, form);
  }

 private:
  void read_blocks(bit_reader& bits, std::uint64_t referred, list_form& form) const;
  void read_extras(bit_reader& bits, std::uint64_t node, list_form& form) const;
  std::uint64_t read_intervals(bit_reader& bits, std::uint64_t node, std::uint64_t most,
                               list_form& form) const;
  void read_residuals(bit_reader& bits, std::uint64_t node, std::uint64_t count,
                      list_form& form) const;
  std::uint64_t from_node(std::uint64_t node, std::uint64_t natural) const;
  void check_successor(std::uint64_t successor) const;

  parameters of_;
  code_reader outdegrees_, references_, block_counts_, blocks_, intervals_, residuals_;
};

}  // namespace atl::graph::bvgraph
