// The formats .el and .wel. A line has two integers separated by blanks, or three if edges have
// weights.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/list_text.hpp"
#include "atoll/graph/io/weight_text.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace atl::graph {
namespace {

template <bool Weighted>
class el_reader {
 public:
  el_reader(const line_blocks& blocks, edge_list& list) : blocks_(blocks), list_(list) {}

  void read(std::string_view text) {
    end_ = text.data() + text.size();
    std::uint64_t lines = 0;
    for (const char* line = text.data(); line != end_; ++lines) line = read_line(line);
    list_.lines += lines;
    flush();
    make_room_for_rest(list_, blocks_.progress());
  }

 private:
  // Each of the functions below gets the place where a field or a line begins, and returns the
  // place after it.

  const char* read_line(const char* text) {
    text = skip_blanks(text);
    if (is_comment(*text)) return next_line(text);
    if (at_end_of_line(text)) return next_line(text);
    edge e;
    text = read_id(text, e.from);
    text = read_id(skip_blanks(text), e.to);
    if constexpr (Weighted) text = read_weight(skip_blanks(text));
    add(e);
    if (*text == '\n') return text + 1;
    text = skip_blanks(text);
    if (!at_end_of_line(text)) refuse(text, "expected the end of the line, found {}");
    return next_line(text);
  }

  const char* read_id(const char* text, std::uint64_t& id) {
    const leading_digits digits(text);
    const char* const end = text + digits.count();
    if (digits.count() == 0 || !ends_field(*end)) return read_longer_id(text, id);
    id = digits.value();
    return end;
  }

  const char* read_longer_id(const char* text, std::uint64_t& id) {
    // A number with at most this many digits fits into 64 bits.
    constexpr std::ptrdiff_t always_fits = 19;
    const char* end = text;
    std::uint64_t value = 0;
    for (; is_digit(*end); ++end) value = value * 10 + static_cast<std::uint64_t>(*end - '0');
    id = value;
    const bool plain = end != text && end - text <= always_fits && ends_field(*end);
    return plain && value <= largest_vertex ? end : read_unusual_id(text, id);
  }

  // Reads an id that has leading zeros. Throws an error if the field is not an id.
  const char* read_unusual_id(const char* text, std::uint64_t& id) {
    const auto field = field_at(text);
    if (read_vertex(field, id) == vertex_text::number) return text + field.size();
    throw blocks_.error_at(text, vertex_complaint(field));
  }

  const char* read_weight(const char* text) {
    std::int64_t weight = 0;
    const auto [end, status] = std::from_chars(text, end_, weight);
    if (status != std::errc{} || !ends_field(*end)) return read_unusual_weight(text);
    if (weight < 0) [[unlikely]]
      keep_negative(blocks_, field_at(text), list_);
    add_weight(weight, list_);
    return end;
  }

  const char* read_unusual_weight(const char* text) {
    const auto field = field_at(text);
    take_weight(blocks_, field, list_);
    return text + field.size();
  }

  // Stores an edge in an array first, because adding to a vector would check the capacity for each
  // edge.
  void add(const edge& e) {
    waiting_[waiting_count_++] = e;
    if (waiting_count_ == waiting_.size()) flush();
  }

  void flush() {
    list_.edges.insert(list_.edges.end(), waiting_.begin(), waiting_.begin() + waiting_count_);
    waiting_count_ = 0;
  }

  [[noreturn]] void refuse(const char* text, fmt::format_string<std::string> complaint) const {
    throw blocks_.error_at(text, fmt::format(complaint, shown(field_at(text))));
  }

  const line_blocks& blocks_;
  edge_list& list_;
  const char* end_ = nullptr;
  std::array<edge, 256> waiting_;
  std::size_t waiting_count_ = 0;
};

template <bool Weighted>
class el_source final : public list_source {
 public:
  using list_source::list_source;

 private:
  void parse(std::string_view text, edge_list& list) override {
    el_reader<Weighted>(blocks(), list).read(text);
  }
};

}  // namespace

std::unique_ptr<part_source> open_el(const file_part& which, file_format format) {
  if (needs_weights(format.edges)) return std::make_unique<el_source<true>>(which, format);
  return std::make_unique<el_source<false>>(which, format);
}

}  // namespace atl::graph
