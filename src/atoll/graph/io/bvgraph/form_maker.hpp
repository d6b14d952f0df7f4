#pragma once
// Finding the form of a list: with any reference, and what it would take to write it.

#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl::graph::bvgraph {

/// Makes one form after another; its memory serves for all.
class form_maker {
 public:
  /// Intervals have `min_interval` successors or more; 0: there are none.
  explicit form_maker(std::uint64_t min_interval) : min_interval_(min_interval) {}

  /// The form of a list without reference.
  void make(std::span<const std::uint64_t> list, list_form& form);

  /// The form of a list that refers to the one `reference` nodes before.
  void make(std::span<const std::uint64_t> list, std::uint64_t reference,
            std::span<const std::uint64_t> referred, list_form& form);

 private:
  void add_extras(std::span<const std::uint64_t> extras, list_form& form) const;

  std::uint64_t min_interval_;
  std::vector<std::uint64_t> extras_;
};

/// Calls `visit(code, value)` for the words of the list of `node`, in their order.
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

/// The length of the list of `node` in the stream.
std::uint64_t bits_of(const list_form& form, std::uint64_t node, const parameters& of);

}  // namespace atl::graph::bvgraph
