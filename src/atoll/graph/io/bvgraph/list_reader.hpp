#pragma once
// Sequential reading of the lists of a BVGraph: their offsets and contents.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

// A list of successors, assembled from its form and from the list that it refers to.

class successor_list {
 public:
  std::span<const std::uint64_t> all() const { return {room_.data(), size_}; }
  std::uint64_t size() const { return size_; }

  /// Assembles the list from a form that was read with the outdegree of `referred`. Throws
  /// `malformed` if a successor occurs twice.
  void assemble(const list_form& form, const successor_list& referred);

  /// Assembles the list from a form without reference. Throws `malformed` if a successor occurs
  /// twice.
  void assemble(const list_form& form) { assemble(form, successor_list()); }

 private:
  void copy_blocks(const list_form& form, const successor_list& referred);
  void add_intervals(const list_form& form);
  void merge(std::span<const std::uint64_t> more);

  std::vector<std::uint64_t> room_;
  std::uint64_t size_ = 0;
};

// Offsets of the lists of a BVGraph, from the stream of their differences.

/// Reads the offsets in order, and finds earlier ones again. It takes a quarter of a byte of memory
/// per offset that was passed.
class offset_reader {
 public:
  /// The stream must outlive this object. `path` is for errors; offsets are at most `highest`.
  offset_reader(bit_reader& bits, code how, std::string path, std::uint64_t highest)
      : bits_(bits), differences_(how), path_(std::move(path)), highest_(highest) {}

  /// Returns the node whose offset `next` returns.
  std::uint64_t node() const { return node_; }

  /// Returns the next offset. Throws `error` (input) "FILE: ...: sentence" if there is none.
  std::uint64_t next();

  /// Throws `error` (input) if more follows the last offset.
  void check_end();

  /// Returns the offset of a node that was passed, in up to 64 steps.
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

// Sequential reading of the lists of a BVGraph, from any node on.

class list_reader {
 public:
  /// Begins before node 0. Throws `error` (input) if the file cannot be read.
  list_reader(const std::string& path, const parameters& of);

  std::uint64_t bits() const { return bits_.bits(); }

  /// Returns the node of the next list.
  std::uint64_t node() const { return node_; }
  std::uint64_t position() const { return bits_.position(); }

  /// Returns the successors of the next node, valid until the next call. Throws `error` (input)
  /// "FILE: node N at bit B: sentence" if there is no such list.
  std::span<const std::uint64_t> next();

  /// Skips the list of the next node, which is cheaper than `next`. After it, `next` needs
  /// `start_at` first. Throws like `next`.
  void pass();

  /// Moves to a node. The lists before it that later ones may refer to are read, and the lists that
  /// those refer to. `offsets` must have passed the node.
  void start_at(std::uint64_t node, offset_reader& offsets);

  /// Throws `error` (input) if more than some zeros follow the last list.
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
