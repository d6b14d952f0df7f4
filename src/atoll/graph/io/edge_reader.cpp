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
    : which_(std::move(which)), format_(recognised_format(which_.path, which_.options)) {
  source_ = open_part(which_, format_);
  if (source_) {
    list_.origin = which_;
    source_->describe(list_);
    return;
  }
  file_.emplace(which_.path, which_.options.content);
  headed_ = graph::open_headed_text(*file_, format_, which_.options);
  open(format_.edges == edge_format::tsv && which_.options.all_names);
}

void edge_reader::open(bool as_names) {
  if (is_plain_list(format_.edges)) {
    read_options options = which_.options;
    options.all_names = as_names;
    head_ = graph::look_at_head(*file_, format_, options);
  }
  blocks_.emplace(*file_, format_.packing, which_);
  list_ = edge_list();
  list_.origin = which_;
  list_.uses_names = as_names;
  list_.declared = head_.declared;
  list_.weight_column = head_.weight_column;
  list_.ids_as_written = is_plain_list(format_.edges) && !as_names;
  if (!head_.remark.empty()) list_.remarks.push_back(head_.remark);
  if (!headed_) return;
  list_.declared = headed_->declared();
  list_.undirected = headed_->undirected();
}

bool edge_reader::read_some() try { return read_block(); } catch (const std::bad_alloc&) {
  fail(errc::out_of_memory, "{}: its edges do not fit into memory", which_.path);
}

bool edge_reader::read_block() {
  const bool more = source_ ? source_->read_some(list_) : read_text();
  if (which_.options.without_weights) {
    list_.weights.clear();
    list_.weights_fault.reset();
  }
  return more;
}

bool edge_reader::read_text() {
  auto text = blocks_->next();
  if (text.empty()) return false;
  while (!text.empty() && blocks_->offset_of(text.data()) < head_.begin) {
    text.remove_prefix(text.find('\n') + 1);
    ++list_.lines;
  }
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
    graph::read_columns(*blocks_, text, head_, list_);
    break;
  case edge_format::tsv:
    if (list_.uses_names)
      graph::read_tsv_names(*blocks_, text, head_, names_, list_);
    else if (!graph::read_tsv_numbers(*blocks_, text, head_, list_))
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
