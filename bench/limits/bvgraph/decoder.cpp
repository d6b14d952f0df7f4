#include "decoder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

#include "atoll/graph/io/bvgraph/files.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"
#include "support/flags.hpp"

namespace bench::bvgraph {
namespace {

class bits {
 public:
  explicit bits(const std::uint8_t* bytes) : bytes_(bytes) {}

  std::uint64_t unary() {
    std::uint64_t zeros = 0;
    for (; window() == 0; zeros += 56) at_ += 56;
    const auto more = static_cast<unsigned>(std::countl_zero(window()));
    at_ += more + 1;
    return zeros + more;
  }
  std::uint64_t number(unsigned count) {
    const auto value = window() >> 1 >> (63 - count);
    at_ += count;
    return value;
  }
  std::uint64_t gamma() {
    const auto more = static_cast<unsigned>(unary());
    return (std::uint64_t{1} << more | number(more)) - 1;
  }
  std::uint64_t zeta(unsigned k) {
    const auto h = static_cast<unsigned>(unary());
    const auto least = std::uint64_t{1} << h * k;
    const auto begin = number(h * k + k - 1);
    return (begin < least ? begin + least : begin << 1 | number(1)) - 1;
  }

 private:
  std::uint64_t window() const {
    std::uint64_t word;
    std::memcpy(&word, bytes_ + at_ / 8, sizeof(word));
    return __builtin_bswap64(word) << at_ % 8;
  }

  const std::uint8_t* bytes_;
  std::uint64_t at_ = 0;
};

std::uint64_t from_node(std::uint64_t node, std::uint64_t natural) {
  return (natural & 1) == 0 ? node + natural / 2 : node - natural / 2 - 1;
}

class lists {
 public:
  lists(const encoded& from, const decoded& into)
      : from_(from), into_(into), bits_(from.bytes.data()) {}

  std::uint64_t decode_all() {
    into_.begins[0] = 0;
    for (std::uint64_t node = 0; node < from_.nodes; ++node) {
      list_ = into_.targets.data() + into_.begins[node];
      const auto degree = bits_.gamma();
      into_.begins[node + 1] = into_.begins[node] + degree;
      if (degree > 0) decode(node, degree);
    }
    return into_.begins[from_.nodes];
  }

 private:
  void decode(std::uint64_t node, std::uint64_t degree) {
    std::uint64_t copied = 0;
    const auto reference = from_.window == 0 ? 0 : bits_.unary();
    if (reference > 0) copied = copy(node - reference);
    if (copied == degree) return;
    extras_.clear();
    if (from_.min_interval > 0) add_intervals(node);
    const auto intervalised = static_cast<std::ptrdiff_t>(extras_.size());
    if (copied + extras_.size() < degree) {
      auto next = from_node(node, bits_.zeta(from_.zeta));
      extras_.push_back(static_cast<std::uint32_t>(next));
      while (copied + extras_.size() < degree) {
        next += 1 + bits_.zeta(from_.zeta);
        extras_.push_back(static_cast<std::uint32_t>(next));
      }
    }
    std::inplace_merge(extras_.begin(), extras_.begin() + intervalised, extras_.end());
    merged_.resize(degree);
    std::merge(list_, list_ + copied, extras_.begin(), extras_.end(), merged_.begin());
    std::ranges::copy(merged_, list_);
  }

  std::uint64_t copy(std::uint64_t node) {
    const auto* from = into_.targets.data() + into_.begins[node];
    const auto* const end = into_.targets.data() + into_.begins[node + 1];
    auto* to = list_;
    const auto blocks = bits_.gamma();
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const auto length = bits_.gamma() + (i == 0 ? 0 : 1);
      if (i % 2 == 0) to = std::copy_n(from, length, to);
      from += length;
    }
    if (blocks % 2 == 0) to = std::copy(from, end, to);
    return static_cast<std::uint64_t>(to - list_);
  }

  void add_intervals(std::uint64_t node) {
    std::uint64_t after = 0;
    const auto count = bits_.gamma();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto word = bits_.gamma();
      const auto first = i == 0 ? from_node(node, word) : after + 1 + word;
      after = first + bits_.gamma() + from_.min_interval;
      for (auto next = first; next < after; ++next)
        extras_.push_back(static_cast<std::uint32_t>(next));
    }
  }

  const encoded& from_;
  const decoded& into_;
  bits bits_;
  std::uint32_t* list_ = nullptr;
  std::vector<std::uint32_t> extras_, merged_;
};

}  // namespace

encoded read_encoded(const std::string& path) {
  const atl::graph::bvgraph::files files(path);
  const auto of = parameters_of(atl::graph::bvgraph::read_properties(files.properties));
  if (!flags_of(of).empty() || of.nodes >> 32 != 0)
    throw bad_input("--graph: " + files.properties + ": only the usual codes, and 2^32 nodes");
  std::ifstream stream(files.graph, std::ios::binary);
  if (!stream) throw bad_input("--graph: cannot read " + files.graph);
  encoded result;
  result.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  result.bytes.resize(result.bytes.size() + 16);
  result.nodes = of.nodes;
  result.arcs = of.arcs;
  result.window = of.window;
  result.min_interval = of.min_interval;
  result.zeta = static_cast<unsigned>(of.zeta);
  return result;
}

std::uint64_t decode(const encoded& from, const decoded& into) {
  return lists(from, into).decode_all();
}

}  // namespace bench::bvgraph
