#pragma once
// Writes a BVGraph, one list after another.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "atoll/output_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

/// Writes a BVGraph. The files get their names in `commit`, so without `commit`, no file is left.
class graph_writer {
 public:
  /// Makes the files. `of` has the parameters of the lists. The numbers of nodes and arcs in `of`
  /// are ignored. Throws `error` (input) if the files cannot be made, or if a parameter is out of
  /// range.
  graph_writer(const std::string& path, const parameters& of);

  /// Writes the successors of the next node, which must be in increasing order. The writer tries
  /// all earlier lists within the window as the reference, and chooses the one that makes the list
  /// shortest. Throws `error` (environment) if the disk is full.
  void write(std::span<const std::uint64_t> successors);

  /// Completes the files, which replace existing files of the same names. The caller must not write
  /// afterwards. Throws `error` (environment) if writing fails.
  void commit();

  std::uint64_t nodes() const { return of_.nodes; }
  std::uint64_t arcs() const { return of_.arcs; }

  /// Returns the number of bytes of the lists. The number is complete after `commit`.
  std::uint64_t bytes() const { return graph_file_.bytes(); }

 private:
  struct recent_list {
    std::vector<std::uint64_t> successors;
    /// Number of references in the chain from this list to a list without reference.
    std::uint64_t references = 0;
  };

  void choose_form(std::span<const std::uint64_t> successors);
  void write_properties();

  files files_;
  parameters of_;
  output_file graph_file_, offsets_file_, properties_file_;
  bit_writer lists_, offsets_;
  form_maker forms_;
  list_form best_, tried_;
  recent<recent_list> recent_;
};

}  // namespace atl::graph::bvgraph
