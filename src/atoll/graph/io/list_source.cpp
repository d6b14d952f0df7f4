#include "atoll/graph/io/list_source.hpp"

#include <utility>

namespace atl::graph {
namespace {

list_head head_of(const input_file& file, file_format format, read_options options, bool as_names) {
  options.all_names = as_names;
  return look_at_head(file, format, options);
}

}  // namespace

list_source::list_source(const file_part& which, file_format format)
    : which_(which),
      format_(format),
      as_names_(traits_of(format.edges).names && which.options.all_names),
      file_(which.path, which.options.content),
      head_(head_of(file_, format, which.options, as_names_)),
      blocks_(std::in_place, file_, format.packing, which_) {}

void list_source::describe(edge_list& list) const {
  list.uses_names = as_names_;
  list.declared = head_.declared;
  list.weight_column = head_.weight_column;
  list.ids_as_written = !as_names_;
  list.remarks.insert(list.remarks.end(), head_.remarks.begin(), head_.remarks.end());
}

bool list_source::read_some(edge_list& list) {
  auto text = blocks_->next();
  if (text.empty()) return false;
  while (!text.empty() && blocks_->offset_of(text.data()) < head_.begin) {
    text.remove_prefix(text.find('\n') + 1);
    ++list.lines;
  }
  parse(text, list);
  return true;
}

void list_source::begin_again_as_names(edge_list& list) {
  as_names_ = true;
  head_ = head_of(file_, format_, which_.options, as_names_);
  blocks_.emplace(file_, format_.packing, which_);
  list = edge_list();
  list.origin = which_;
  describe(list);
}

}  // namespace atl::graph
