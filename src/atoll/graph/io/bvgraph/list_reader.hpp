#pragma once
// Reading the lists of a BVGraph one after another, from any node on.

#include "atoll/graph/io/bvgraph/form_reader.hpp"
#include "atoll/graph/io/bvgraph/offset_reader.hpp"
#include "atoll/graph/io/bvgraph/recent.hpp"
#include "atoll/graph/io/bvgraph/successor_list.hpp"
#include "atoll/graph/io/input_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

class list_reader {
 public:
  /// Stands before node 0. Throws `error` (input) if the file cannot be read.
  list_reader(const std::string& path, const parameters& of);

  std::uint64_t bits() const { return bits_.bits(); }

  /// Of the next list.
  std::uint64_t node() const { return node_; }
  std::uint64_t position() const { return bits_.position(); }

  /// The successors of the next node; valid until the next call. Throws `error` (input) "FILE: node
  /// N at bit B: sentence" where there is no such list.
  std::span<const std::uint64_t> next();

  /// Passes over the list of the next node; cheaper than `next`, which must not follow it without
  /// `start_at`. Throws likewise.
  void pass();

  /// Goes to a node, and reads the lists before it that later ones may refer to, with those that
  /// they refer to. `offsets` has passed the node.
  void start_at(std::uint64_t node, offset_reader& offsets);

  /// After the last list: throws `error` (input) if there is more in the file than some zeros.
  void check_end();

 private:
  template <class ListOf>
  void make(std::uint64_t node, ListOf list_of, successor_list& list);
  void make_with_references(std::uint64_t node, std::uint64_t first_made, offset_reader& offsets);
  std::vector<std::uint64_t> chain_of(std::uint64_t node, std::uint64_t first_made,
                                      offset_reader& offsets);
  [[noreturn]] void refuse(std::uint64_t node, std::uint64_t position,
                           const malformed& wrong) const;

  input_file file_;
  bit_reader bits_;
  std::uint64_t window_;
  form_reader forms_;
  list_form form_;
  recent<successor_list> lists_;
  recent<std::uint64_t> degrees_;
  std::uint64_t node_ = 0;
};

}  // namespace atl::graph::bvgraph
