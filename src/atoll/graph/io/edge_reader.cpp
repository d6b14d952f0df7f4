#include "atoll/graph/io/edge_reader.hpp"

#include "atoll/graph/io/recognise.hpp"

#include <new>
#include <utility>

namespace atl {

edge_reader::edge_reader(file_part which) : which_(std::move(which)) {
  const auto format = recognised_format(which_.path, which_.options);
  source_ = graph::row_of(format.edges).open(which_, format);
  list_.origin = which_;
  source_->describe(list_);
}

bool edge_reader::read_some() try { return read_block(); } catch (const std::bad_alloc&) {
  fail(errc::out_of_memory, "{}: its edges do not fit into memory", which_.path);
}

bool edge_reader::read_block() {
  const bool more = source_->read_some(list_);
  if (which_.options.without_weights) {
    list_.weights.clear();
    list_.weights_fault.reset();
  }
  return more;
}

edge_list edge_reader::take() && {
  source_->finish(list_);
  return std::move(list_);
}

}  // namespace atl
