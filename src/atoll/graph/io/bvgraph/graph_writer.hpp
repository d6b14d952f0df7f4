#pragma once
// Writing a BVGraph, list by list.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "atoll/output_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

/// Writes a BVGraph. The files get their names in `commit`; without it nothing is left behind.
class graph_writer {
 public:
  /// Makes the files. `of` defines the form; its nodes and arcs are ignored. Throws `error` (input)
  /// if files cannot be made there, and for parameters out of range.
  graph_writer(const std::string& path, const parameters& of);

  /// Writes the successors of the next node, in increasing order. The shortest form with a
  /// reference within the window is chosen. Throws `error` (environment) if the disk is full.
  void write(std::span<const std::uint64_t> successors);

  /// Completes the files, which replace existing files of their names. Call it last. Throws `error`
  /// (environment).
  void commit();

  std::uint64_t nodes() const { return of_.nodes; }
  std::uint64_t arcs() const { return of_.arcs; }

  /// Returns the bytes of the lists alone, complete after `commit`.
  std::uint64_t bytes() const { return graph_file_.bytes(); }

 private:
  struct recent_list {
    std::vector<std::uint64_t> successors;
    std::uint64_t references = 0;  ///< from list to list, up to one that has none
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
