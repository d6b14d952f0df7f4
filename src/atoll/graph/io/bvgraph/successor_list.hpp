#pragma once
// A list of successors, made of its form and of the list that it refers to.

#include "atoll/graph/io/bvgraph/list_form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl::graph::bvgraph {

class successor_list {
 public:
  std::span<const std::uint64_t> all() const { return {room_.data(), size_}; }
  std::uint64_t size() const { return size_; }

  /// Makes the list anew, of a form that was read with the outdegree of `referred`. Throws
  /// `malformed` if a successor is there twice.
  void assemble(const list_form& form, const successor_list& referred);

  /// Likewise, where the form refers to none.
  void assemble(const list_form& form) { assemble(form, successor_list()); }

 private:
  void copy_blocks(const list_form& form, const successor_list& referred);
  void add_intervals(const list_form& form);
  void merge(std::span<const std::uint64_t> more);

  std::vector<std::uint64_t> room_;
  std::uint64_t size_ = 0;
};

}  // namespace atl::graph::bvgraph
