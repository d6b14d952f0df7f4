#pragma once
// Checks that must hold for any bits in a BVGraph, and for any text of its properties. The fuzzers,
// and the test that replays the inputs of their corpus, share this header. A failed check throws an
// exception.

#include "atoll/error.hpp"
#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/bvgraph/list_reader.hpp"
#include "edge_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bvgraph_checks {

using namespace atl::graph::bvgraph;
using edge_checks::require;
using successors = std::vector<std::uint64_t>;

/// The first bytes of the fuzzer's input determine how the stream is read, and the remaining bytes
/// are the stream.
struct stream {
  explicit stream(std::span<const std::uint8_t> input) {
    const auto take = [&] {
      const std::uint64_t value = input.empty() ? 0 : input.front();
      input = input.subspan(input.empty() ? 0 : 1);
      return value;
    };
    of.nodes = 1 + take() % 64;
    of.window = take() % 10;
    of.min_interval = take() % 6;
    of.zeta = 1 + take() % 15;
    constexpr code_kind kinds[] = {code_kind::zeta, code_kind::gamma, code_kind::delta,
                                   code_kind::nibble, code_kind::golomb};
    of.residuals = {kinds[take() % 5], of.zeta};
    const auto others = take();
    of.outdegrees.kind = others % 2 == 0 ? code_kind::gamma : code_kind::delta;
    of.references.kind = others / 2 % 2 == 0 ? code_kind::unary : code_kind::gamma;
    of.block_counts.kind = others / 4 % 2 == 0 ? code_kind::gamma : code_kind::unary;
    content.assign(input.begin(), input.end());
  }

  parameters of;
  std::string content;
};

/// Returns the lists that precede the first list with an error.
inline std::vector<successors> lists_of(const std::string& path, const parameters& of) {
  std::vector<successors> all;
  list_reader reader(path, of);
  try {
    while (reader.node() < of.nodes) {
      const auto list = reader.next();
      all.emplace_back(list.begin(), list.end());
    }
  } catch (const atl::error&) {
    // The checks also use the lists that were read before the error.
  }
  return all;
}

/// Returns the offsets of the first `lists` lists as a stream of bits. The offsets are found by
/// skipping the lists.
inline std::string offsets_of(const std::string& path, const parameters& of, std::size_t lists) {
  std::string bytes;
  bit_writer writer([&](std::string_view some) { bytes += some; });
  list_reader reader(path, of);
  writer.put(of.offsets, 0);
  for (std::size_t i = 0; i < lists; ++i) {
    const auto before = reader.position();
    reader.pass();
    writer.put(of.offsets, reader.position() - before);
  }
  writer.finish();
  return bytes;
}

/// Checks that reading can begin at any list.
inline void check_start(const std::string& path, const parameters& of,
                        const std::vector<successors>& all, std::uint64_t node) {
  bit_reader bits(offsets_of(path, of, all.size()));
  offset_reader offsets(bits, of.offsets, "offsets", ~std::uint64_t{0});
  while (offsets.node() <= node) offsets.next();
  list_reader reader(path, of);
  reader.start_at(node, offsets);
  for (; node < all.size(); ++node)
    require(std::ranges::equal(reader.next(), all[node]), "another list from the middle on");
}

/// Checks that a list is unchanged after it is written and read again.
inline void check_form(const parameters& of, const successors& list, const successors& referred) {
  if (of.window == 0) return;
  form_maker maker(of.min_interval);
  list_form form;
  maker.make(list, 1, referred, form);
  std::string bytes;
  bit_writer writer([&](std::string_view some) { bytes += some; });
  for_each_word(form, 1, of, [&](code how, std::uint64_t value) { writer.put(how, value); });
  require(writer.written() == bits_of(form, 1, of), "another length than was said");
  writer.finish();
  bit_reader bits(bytes);
  list_form read;
  form_reader(of).read(bits, 1, [&](std::uint64_t) { return referred.size(); }, read);
  list_form plain;
  maker.make(referred, plain);
  successor_list before, made;
  before.assemble(plain);
  made.assemble(read, before);
  require(std::ranges::equal(made.all(), list), "another list than was written");
}

inline void check_lists(std::span<const std::uint8_t> input) {
  const stream given(input);
  const edge_checks::memory_file file(given.content);
  const auto all = lists_of(file.path(), given.of);
  for (const auto& list : all) {
    require(std::ranges::adjacent_find(list, std::ranges::greater_equal()) == list.end(),
            "successors that do not increase");
    require(list.empty() || list.back() < given.of.nodes, "a successor that is no node");
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    check_form(given.of, all[i], all[i / 2]);
    if (i % 8 == 3) check_start(file.path(), given.of, all, i);
  }
}

/// Checks that the reader either accepts a text as properties or reports an error.
inline void check_properties(std::span<const std::uint8_t> input) {
  try {
    const java_properties properties("p",
                                     {reinterpret_cast<const char*>(input.data()), input.size()});
    const auto of = parameters_of(properties);
    require(of.window <= parameters::largest_window, "a window that is too large");
  } catch (const atl::error& e) {
    require(std::string_view(e.what()).starts_with("p:"), e.what());
  }
}

}  // namespace bvgraph_checks
