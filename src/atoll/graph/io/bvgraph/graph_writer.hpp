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

/// The files have their names only after `commit`; without it nothing stays behind.
class graph_writer {
 public:
  /// `of` says how to write; its nodes and arcs do not matter. Throws `error` (input) if files
  /// cannot be made there, and for parameters out of range.
  graph_writer(const std::string& path, const parameters& of);

  /// The successors of the next node, in increasing order; with the shortest form that a reference
  /// within the window gives. Throws `error` (environment) when the files take no more.
  void write(std::span<const std::uint64_t> successors);

  /// Completes the files, replacing what had their names; nothing is written after it. Throws
  /// `error` (environment).
  void commit();

  std::uint64_t nodes() const { return of_.nodes; }
  std::uint64_t arcs() const { return of_.arcs; }

  /// Of the lists alone; all of them after `commit`.
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
