#include "decoder.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "atoll/graph_files.hpp"
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

void set(std::uint32_t& element, std::uint64_t, std::uint32_t target) { element = target; }
void set(arc& element, std::uint64_t node, std::uint32_t target) { element = {node, target}; }
std::uint32_t target_of(std::uint32_t element) { return element; }
std::uint32_t target_of(const arc& element) { return static_cast<std::uint32_t>(element.to); }

template <class Element>
class lists {
 public:
  lists(const encoded& from, std::uint64_t* begins, Element* all)
      : from_(from), begins_(begins), all_(all), bits_(from.bytes.data()) {}

  std::uint64_t decode_all() {
    begins_[0] = 0;
    for (std::uint64_t node = 0; node < from_.nodes; ++node) {
      const auto degree = bits_.gamma();
      begins_[node + 1] = begins_[node] + degree;
      if (degree == 0) continue;
      decode(node, degree);
      auto* to = all_ + begins_[node];
      for (const auto target : merged_) set(*to++, node, target);
    }
    return begins_[from_.nodes];
  }

 private:
  void decode(std::uint64_t node, std::uint64_t degree) {
    copied_.clear();
    extras_.clear();
    const auto reference = from_.window == 0 ? 0 : bits_.unary();
    if (reference > 0) copy(node - reference);
    merged_.resize(degree);
    if (copied_.size() < degree) add_extras(node, degree - copied_.size());
    std::merge(copied_.begin(), copied_.end(), extras_.begin(), extras_.end(), merged_.begin());
  }

  void add_extras(std::uint64_t node, std::uint64_t count) {
    if (from_.min_interval > 0) add_intervals(node);
    const auto intervalised = static_cast<std::ptrdiff_t>(extras_.size());
    if (extras_.size() == count) return;
    auto next = from_node(node, bits_.zeta(from_.zeta));
    extras_.push_back(static_cast<std::uint32_t>(next));
    while (extras_.size() < count) {
      next += 1 + bits_.zeta(from_.zeta);
      extras_.push_back(static_cast<std::uint32_t>(next));
    }
    std::inplace_merge(extras_.begin(), extras_.begin() + intervalised, extras_.end());
  }

  void copy(std::uint64_t node) {
    const auto* from = all_ + begins_[node];
    const auto* const end = all_ + begins_[node + 1];
    copied_.resize(begins_[node + 1] - begins_[node]);
    auto* to = copied_.data();
    const auto blocks = bits_.gamma();
    const auto take = [&](const Element* last) {
      for (; from != last; ++from) *to++ = target_of(*from);
    };
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const auto* const last = from + bits_.gamma() + (i == 0 ? 0 : 1);
      if (i % 2 == 0) take(last);
      from = last;
    }
    if (blocks % 2 == 0) take(end);
    copied_.resize(static_cast<std::size_t>(to - copied_.data()));
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
  std::uint64_t* begins_;
  Element* all_;
  bits bits_;
  std::vector<std::uint32_t> copied_, extras_, merged_;
};

/// The properties of a file with lines NAME=VALUE.
class properties {
 public:
  explicit properties(const std::string& path) : path_(path) {
    std::ifstream stream(path);
    if (!stream) throw bad_input("--graph: cannot read " + path);
    for (std::string line; std::getline(stream, line);) {
      const auto equal = line.find('=');
      if (equal != line.npos) values_[line.substr(0, equal)] = line.substr(equal + 1);
    }
  }

  std::uint64_t number(const std::string& name) const {
    const auto found = values_.find(name);
    const std::string text = found == values_.end() ? "" : found->second;
    std::uint64_t value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size())
      throw bad_input("--graph: " + path_ + ": " + name + " is no number: '" + text + "'");
    return value;
  }

  bool usual_codes() const {
    const auto found = values_.find("compressionflags");
    return found == values_.end() || found->second.empty();
  }

 private:
  std::string path_;
  std::map<std::string, std::string> values_;
};

}  // namespace

encoded read_encoded(const std::string& path) {
  const auto files = atl::files_of(path, atl::edge_format::bvgraph);
  const properties of(files.at(1));
  encoded result;
  result.nodes = of.number("nodes");
  result.arcs = of.number("arcs");
  result.window = of.number("windowsize");
  result.min_interval = of.number("minintervallength");
  result.zeta = static_cast<unsigned>(of.number("zetak"));
  if (!of.usual_codes() || result.nodes >> 32 != 0)
    throw bad_input("--graph: " + files[1] + ": only the usual codes, and 2^32 nodes");
  std::ifstream stream(files[0], std::ios::binary);
  if (!stream) throw bad_input("--graph: cannot read " + files[0]);
  result.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  result.bytes.resize(result.bytes.size() + 16);
  return result;
}

std::uint64_t decode(const encoded& from, std::uint64_t* begins, std::uint32_t* targets) {
  return lists(from, begins, targets).decode_all();
}

std::uint64_t decode(const encoded& from, std::uint64_t* begins, arc* arcs) {
  return lists(from, begins, arcs).decode_all();
}

}  // namespace bench::bvgraph
