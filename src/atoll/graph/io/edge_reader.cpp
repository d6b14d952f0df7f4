#include "atoll/graph/io/edge_reader.hpp"

#include "atoll/graph/io/bvgraph/part_reader.hpp"
#include "atoll/graph/io/columns.hpp"
#include "atoll/graph/io/csr_file.hpp"
#include "atoll/graph/io/el.hpp"
#include "atoll/graph/io/metis.hpp"
#include "atoll/graph/io/recognise.hpp"
#include "atoll/graph/io/tsv.hpp"

#include <new>
#include <utility>

namespace atl {
namespace {

/// Of a format with lists of neighbours.
std::unique_ptr<graph::part_source> open_part(const file_part& which, file_format format) {
  switch (format.edges) {
  case edge_format::bvgraph:
    return std::make_unique<graph::bvgraph::part_reader>(which);
  case edge_format::metis:
    return std::make_unique<graph::metis_reader>(which, format.packing);
  case edge_format::sg:
  case edge_format::wsg:
    return std::make_unique<graph::csr_reader>(which, format.edges == edge_format::wsg);
  default:
    return nullptr;
  }
}

}  // namespace

edge_reader::edge_reader(file_part which)
    : which_(std::move(which)),
      format_(which_.options.format ? *which_.options.format : recognised_format(which_.path)) {
  source_ = open_part(which_, format_);
  if (source_) {
    list_.origin = which_;
    source_->describe(list_);
    return;
  }
  file_.emplace(which_.path);
  if (format_.edges == edge_format::csv)
    titles_ = graph::begin_of_titles(*file_, format_.packing, which_.options);
  headed_ = graph::open_headed_text(*file_, format_, which_.options);
  open(format_.edges == edge_format::tsv && which_.options.all_names);
}

void edge_reader::open(bool as_names) {
  blocks_.emplace(*file_, format_.packing, which_);
  list_ = edge_list();
  list_.origin = which_;
  list_.uses_names = as_names;
  if (!headed_) return;
  list_.declared = headed_->declared();
  list_.undirected = headed_->undirected();
}

bool edge_reader::read_some() try { return read_block(); } catch (const std::bad_alloc&) {
  fail(errc::out_of_memory, "{}: its edges do not fit into memory", which_.path);
}

bool edge_reader::read_block() {
  if (source_) return source_->read_some(list_);
  const auto text = blocks_->next();
  if (text.empty()) return false;
  parse(text);
  return true;
}

void edge_reader::parse(std::string_view text) {
  if (headed_) {
    headed_->read(*blocks_, text, list_);
    return;
  }
  switch (format_.edges) {
  case edge_format::el:
  case edge_format::wel:
    graph::read_el(*blocks_, text, format_.edges == edge_format::wel, list_);
    break;
  case edge_format::txt:
  case edge_format::csv:
    graph::read_columns(*blocks_, text, titles_, list_);
    break;
  case edge_format::tsv:
    if (list_.uses_names)
      graph::read_tsv_names(*blocks_, text, names_, list_);
    else if (!graph::read_tsv_numbers(*blocks_, text, list_))
      open(true);  // from the beginning of the part
    break;
  default:
    break;
  }
}

edge_list edge_reader::take() && {
  list_.names = std::move(names_).take();
  return std::move(list_);
}

}  // namespace atl
