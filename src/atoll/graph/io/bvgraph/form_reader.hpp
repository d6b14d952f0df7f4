#pragma once
// Reading lists from the bits of a BVGraph, without making out what a reference stands for.

#include "atoll/graph/io/bvgraph/code_reader.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"

#include <cstdint>

namespace atl::graph::bvgraph {

/// What a list begins with.
struct list_head {
  std::uint64_t outdegree = 0;
  std::uint64_t reference = 0;
};

/// Takes memory for what was read, whatever the bits promise.
class form_reader {
 public:
  explicit form_reader(const parameters& of);

  /// The head of the list of `node` alone. Throws `malformed`.
  list_head read_head(bit_reader& bits, std::uint64_t node) const;

  /// The list of `node`; `degree_of(n)` is the outdegree of an earlier node in the window. Throws
  /// `malformed` for what no list of the graph can be.
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
