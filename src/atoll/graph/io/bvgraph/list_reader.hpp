#pragma once
// Reading the lists of a BVGraph one after another: where they begin, and what each is made of.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

// A list of successors, made of its form and of the list that it refers to.

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

// Where the lists of a BVGraph begin, from the stream of the differences of these places.

/// Goes through the offsets in order, and finds earlier ones again. Memory: a quarter of a byte for
/// each that was passed.
class offset_reader {
 public:
  /// The stream must outlive this. `path` is for errors; offsets are at most `highest`.
  offset_reader(bit_reader& bits, code how, std::string path, std::uint64_t highest)
      : bits_(bits), differences_(how), path_(std::move(path)), highest_(highest) {}

  /// The node whose offset `next` gives.
  std::uint64_t node() const { return node_; }

  /// The next offset. Throws `error` (input) "FILE: ...: sentence" where there is none.
  std::uint64_t next();

  /// After the last offset. Throws `error` (input) where more follows.
  void check_end();

  /// The offset of a node that was passed. Takes up to 64 steps.
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

// Reading the lists of a BVGraph one after another, from any node on.

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
