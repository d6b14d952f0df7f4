#include "atoll/graph/io/bvgraph/list_form.hpp"

#include <algorithm>
#include <fmt/format.h>

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

namespace {

// Number of residuals that are read before more memory is allocated for them.
constexpr std::uint64_t k_residuals_at_once = 4096;

template <class... Arguments>
[[noreturn]] void refuse_list(fmt::format_string<Arguments...> sentence, Arguments&&... arguments) {
  throw malformed{fmt::format(sentence, std::forward<Arguments>(arguments)...)};
}

}  // namespace

form_reader::form_reader(const parameters& of)
    : of_(of),
      outdegrees_(of.outdegrees),
      references_(of.references),
      block_counts_(of.block_counts),
      blocks_(of.blocks),
      intervals_(parameters::intervals),
      residuals_(of.residuals) {}

list_head form_reader::read_head(bit_reader& bits, std::uint64_t node) const {
  list_head head;
  head.outdegree = outdegrees_.read(bits);
  if (head.outdegree > of_.nodes)
    refuse_list("an outdegree of {} in a graph of {} nodes", head.outdegree, of_.nodes);
  if (head.outdegree == 0 || of_.window == 0) return head;
  head.reference = references_.read(bits);
  if (head.reference > std::min(node, of_.window))
    refuse_list("a reference to {} nodes before, with a windowsize of {}", head.reference,
                of_.window);
  return head;
}

void form_reader::read_blocks(bit_reader& bits, std::uint64_t referred, list_form& form) const {
  const std::uint64_t count = block_counts_.read(bits);
  if (count > referred + 1) refuse_list("{} blocks of a list of {} successors", count, referred);
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t length = blocks_.read(bits) + (i == 0 ? 0 : 1);
    if (length > referred - done)
      refuse_list("blocks up to {} of a list of {} successors", done + length, referred);
    done += length;
    if (i % 2 == 0) form.copied += length;
    form.blocks.push_back(length);
  }
  if (count % 2 == 0) form.copied += referred - done;
  if (form.copied > form.outdegree)
    refuse_list("{} successors are copied, and the outdegree is {}", form.copied, form.outdegree);
}

void form_reader::read_extras(bit_reader& bits, std::uint64_t node, list_form& form) const {
  std::uint64_t rest = form.outdegree - form.copied;
  if (of_.min_interval > 0) rest -= read_intervals(bits, node, rest, form);
  if (rest > 0) read_residuals(bits, node, rest, form);
}

/// Reads the intervals. Returns the number of successors in the intervals, which must be at most
/// `most`.
std::uint64_t form_reader::read_intervals(bit_reader& bits, std::uint64_t node, std::uint64_t most,
                                          list_form& form) const {
  const std::uint64_t count = intervals_.read(bits);
  if (count > most / of_.min_interval)
    refuse_list("{} intervals of {} successors or more, for {} successors", count, of_.min_interval,
                most);
  std::uint64_t taken = 0, after = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t word = intervals_.read(bits);
    const std::uint64_t first = i == 0 ? from_node(node, word) : after + 1 + word;
    check_successor(first);
    const std::uint64_t length = intervals_.read(bits) + of_.min_interval;
    if (length > most - taken)
      refuse_list("an interval of {} successors, where {} are left", length, most - taken);
    taken += length;
    after = first + length;
    check_successor(after - 1);
    form.intervals.push_back({first, length});
  }
  return taken;
}

void form_reader::read_residuals(bit_reader& bits, std::uint64_t node, std::uint64_t count,
                                 list_form& form) const {
  std::uint64_t last = from_node(node, residuals_.read(bits));
  check_successor(last);
  form.residuals.push_back(last);
  for (std::uint64_t done = 1; done < count;) {
    const auto some = std::min(count - done, k_residuals_at_once);
    form.residuals.resize(done + some);
    residuals_.read_increasing(bits, form.residuals[done - 1],
                               std::span(form.residuals).subspan(done));
    done += some;
    check_successor(form.residuals.back());
  }
}

std::uint64_t form_reader::from_node(std::uint64_t node, std::uint64_t natural) const {
  return node + static_cast<std::uint64_t>(integer_of(natural));
}

void form_reader::check_successor(std::uint64_t successor) const {
  if (successor < of_.nodes) return;
  refuse_list("a successor {}, where nodes are 0 to {}", static_cast<std::int64_t>(successor),
              of_.nodes - 1);
}

}  // namespace atl::graph::bvgraph
