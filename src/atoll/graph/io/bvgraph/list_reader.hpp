#pragma once
// Reads the lists of a BVGraph in order: their offsets and their contents.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

// A list of successors. The list is made from its form (list_form.hpp), which may refer to another
// list.

class successor_list {
 public:
  std::span<const std::uint64_t> all() const { return {room_.data(), size_}; }
  std::uint64_t size() const { return size_; }

  /// Makes the list from its form and from `referred`, the list to which the form refers. The form
  /// must have been read with the outdegree of `referred`. Throws `malformed` if a successor occurs
  /// twice.
  void assemble(const list_form& form, const successor_list& referred);

  /// Makes the list from a form without a reference. Throws `malformed` if a successor occurs
  /// twice.
  void assemble(const list_form& form) { assemble(form, successor_list()); }

 private:
  void copy_blocks(const list_form& form, const successor_list& referred);
  void add_intervals(const list_form& form);
  void merge(std::span<const std::uint64_t> more);

  std::vector<std::uint64_t> room_;
  std::uint64_t size_ = 0;
};

// The offsets of the lists of a BVGraph. A file stores the differences between consecutive offsets.

/// Reads the offsets in order, and can find earlier offsets again. The object takes a quarter of a
/// byte for each offset that was read.
class offset_reader {
 public:
  /// Makes a reader. The stream must outlive this object. `path` is used in errors, and `highest`
  /// is the largest allowed offset.
  offset_reader(bit_reader& bits, code how, std::string path, std::uint64_t highest)
      : bits_(bits), differences_(how), path_(std::move(path)), highest_(highest) {}

  /// Returns the node whose offset `next` will return.
  std::uint64_t node() const { return node_; }

  /// Returns the next offset. Throws `error` (input) with the message "FILE: ...: sentence" if
  /// there is no further offset.
  std::uint64_t next();

  /// Throws `error` (input) if the file continues after the last offset.
  void check_end();

  /// Returns the offset of a node that was passed. The call decodes at most 64 differences.
  std::uint64_t at(std::uint64_t node);

 private:
  static constexpr std::uint64_t step = 64;

  struct place {
    std::uint64_t offset;    ///< offset of the previous node; 0 for the first node
    std::uint64_t position;  ///< position of the difference in the stream
  };

  bit_reader& bits_;
  code_reader differences_;
  std::string path_;
  std::uint64_t highest_;
  std::uint64_t node_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<place> places_;  // one entry per `step` nodes
};

// Reads the lists of a BVGraph in order, from any node on.

class list_reader {
 public:
  /// Opens the file and begins with node 0. Throws `error` (input) if the file cannot be read.
  list_reader(const std::string& path, const parameters& of);

  std::uint64_t bits() const { return bits_.bits(); }

  /// Returns the node of the next list.
  std::uint64_t node() const { return node_; }
  std::uint64_t position() const { return bits_.position(); }

  /// Returns the successors of the next node. The result is valid until the next call. Throws
  /// `error` (input) with the message "FILE: node N at bit B: sentence" if the bits are not a valid
  /// list.
  std::span<const std::uint64_t> next();

  /// Skips the list of the next node, which is faster than `next`. Before a later `next`, the
  /// caller must call `start_at`. Throws the errors of `next`.
  void pass();

  /// Moves to a node. Reads all earlier lists that the next lists need as references, directly or
  /// through other references. `offsets` must have returned the offsets of all nodes before this
  /// node.
  void start_at(std::uint64_t node, offset_reader& offsets);

  /// Throws `error` (input) if anything but a few zeros follows the last list.
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
