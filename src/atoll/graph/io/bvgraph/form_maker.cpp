#include "atoll/graph/io/bvgraph/form_maker.hpp"

namespace atl::graph::bvgraph {

void form_maker::make(std::span<const std::uint64_t> list, list_form& form) {
  form.clear();
  form.outdegree = list.size();
  add_extras(list, form);
}

void form_maker::make(std::span<const std::uint64_t> list, std::uint64_t reference,
                      std::span<const std::uint64_t> referred, list_form& form) {
  form.clear();
  form.outdegree = list.size();
  form.reference = reference;
  extras_.clear();
  std::size_t at = 0;
  bool copies = true;
  std::uint64_t length = 0;
  for (const auto successor : referred) {
    while (at < list.size() && list[at] < successor) extras_.push_back(list[at++]);
    const bool is_here = at < list.size() && list[at] == successor;
    if (is_here != copies) {
      form.blocks.push_back(length);
      length = 0;
      copies = is_here;
    }
    ++length;
    if (!is_here) continue;
    ++at;
    ++form.copied;
  }
  extras_.insert(extras_.end(), list.begin() + static_cast<std::ptrdiff_t>(at), list.end());
  add_extras(extras_, form);
}

void form_maker::add_extras(std::span<const std::uint64_t> extras, list_form& form) const {
  for (std::size_t i = 0; i < extras.size();) {
    auto end = i + 1;
    while (end < extras.size() && extras[end] == extras[end - 1] + 1) ++end;
    const auto run = extras.subspan(i, end - i);
    if (min_interval_ > 0 && run.size() >= min_interval_) {
      form.intervals.push_back({run.front(), run.size()});
    } else {
      form.residuals.insert(form.residuals.end(), run.begin(), run.end());
    }
    i = end;
  }
}

std::uint64_t bits_of(const list_form& form, std::uint64_t node, const parameters& of) {
  std::uint64_t bits = 0;
  for_each_word(form, node, of,
                [&](code how, std::uint64_t value) { bits += bits_of(how, value); });
  return bits;
}

}  // namespace atl::graph::bvgraph
