#include "atoll/graph/io/edge_reader.hpp"

#include "atoll/graph/io/columns.hpp"
#include "atoll/graph/io/el.hpp"
#include "atoll/graph/io/tsv.hpp"

#include <new>
#include <utility>

namespace atl {

edge_reader::edge_reader(file_part which)
    : which_(std::move(which)),
      format_(which_.options.format ? *which_.options.format : file_format_of(which_.path)) {
  if (format_.edges == edge_format::bvgraph) {
    open_lists();
    return;
  }
  file_.emplace(which_.path);
  if (format_.edges == edge_format::csv)
    titles_ = graph::begin_of_titles(*file_, format_.packing, which_.options);
  open(format_.edges == edge_format::tsv && which_.options.all_names);
}

void edge_reader::open(bool as_names) {
  blocks_.emplace(*file_, format_.packing, which_);
  list_ = edge_list();
  list_.origin = which_;
  list_.uses_names = as_names;
}

void edge_reader::open_lists() {
  lists_.emplace(which_);
  list_.origin = which_;
  list_.declared = lists_->declared();
}

bool edge_reader::read_some() try { return read_block(); } catch (const std::bad_alloc&) {
  fail(errc::out_of_memory, "{}: its edges do not fit into memory", which_.path);
}

bool edge_reader::read_block() {
  if (lists_) return read_lists();
  const auto text = blocks_->next();
  if (text.empty()) return false;
  parse(text);
  return true;
}

bool edge_reader::read_lists() {
  const bool read = lists_->read_some(list_);
  list_.scan_seconds = lists_->scan_seconds();
  return read;
}

void edge_reader::parse(std::string_view text) {
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
  case edge_format::bvgraph:
    break;  // is no text
  }
}

edge_list edge_reader::take() && {
  list_.names = std::move(names_).take();
  return std::move(list_);
}

}  // namespace atl
