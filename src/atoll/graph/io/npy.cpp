#include "atoll/graph/io/npy.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace atl::graph {
namespace {

using namespace std::literals;

constexpr auto k_magic = "\x93NUMPY"sv;

// Format 1 has a length of two bytes behind the magic and the version, later ones of four.
struct head_place {
  std::uint64_t begin;
  std::uint64_t bytes;
};

std::optional<head_place> find_head(const input_file& file) {
  std::array<char, 12> start{};
  const std::size_t read = file.read_at(0, start);
  const bool first = start[6] == 1;
  const std::uint64_t begin = first ? 10 : 12;
  if (read < begin) return std::nullopt;
  std::uint64_t bytes = 0;
  for (std::uint64_t at = begin; at-- > 8;)
    bytes = bytes << 8 | static_cast<unsigned char>(start[at]);
  constexpr std::uint64_t longest = 1 << 16;
  if (bytes > longest || begin + bytes > file.size()) return std::nullopt;
  return head_place{begin, bytes};
}

/// What follows `'name':` in the text of a dictionary of Python.
std::string_view value_of(std::string_view head, std::string_view name) {
  const auto at = head.find(fmt::format("'{}'", name));
  if (at == head.npos) return {};
  auto value = head.substr(at + name.size() + 2);
  value.remove_prefix(std::min(value.find_first_not_of(" :"), value.size()));
  return value;
}

std::string_view between(std::string_view text, char open, char close) {
  if (!text.starts_with(open)) return {};
  const auto end = text.find(close, 1);
  return end == text.npos ? std::string_view() : text.substr(1, end - 1);
}

/// "(12,)": the only dimension.
std::optional<std::uint64_t> only_dimension(std::string_view text) {
  auto shape = between(text, '(', ')');
  std::uint64_t size = 0;
  const auto [end, status] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
  if (status != std::errc{}) return std::nullopt;
  shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
  return shape == "," ? std::optional(size) : std::nullopt;
}

/// As far as its type goes.
npy_array array_of_type(const input_file& file, std::string_view type) {
  if (type == "<u4" || type == "<i4") return {0, 4, type == "<i4", 0};
  if (type == "<u8" || type == "<i8") return {0, 8, type == "<i8", 0};
  fail(errc::input, "{}: elements are '{}', and keys are '<u4', '<u8', '<i4' or '<i8'", file.path(),
       type);
}

}  // namespace

bool is_npy(const input_file& file) {
  std::array<char, k_magic.size()> start{};
  return file.read_at(0, start) == start.size() &&
         std::string_view(start.data(), start.size()) == k_magic;
}

npy_array read_npy_head(const input_file& file) {
  const auto place = find_head(file);
  if (!place) fail(errc::input, "{}: the head of the array is damaged", file.path());
  std::string head(place->bytes, '\0');
  head.resize(file.read_at(place->begin, head));
  npy_array array = array_of_type(file, between(value_of(head, "descr"), '\'', '\''));
  const auto size = only_dimension(value_of(head, "shape"));
  if (!size) fail(errc::input, "{}: the array does not have one dimension", file.path());
  array.elements = *size;
  array.offset = place->begin + place->bytes;
  const std::uint64_t there = (file.size() - array.offset) / array.element_bytes;
  if (there < array.elements)
    fail(errc::input, "{}: the file has {} of the {} elements of its array", file.path(), there,
         array.elements);
  return array;
}

std::string npy_head(std::uint64_t rows, std::size_t columns, std::string_view type) {
  constexpr auto version_1 = "\x93NUMPY\x01\x00"sv;
  constexpr std::size_t length_bytes = 2;
  constexpr std::size_t alignment = 64;  // of the first element
  const auto shape =
      columns == 1 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, columns);
  auto text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  const auto before = version_1.size() + length_bytes;
  text.resize(ceil_divide(before + text.size() + 1, alignment) * alignment - before - 1, ' ');
  text += '\n';
  std::string head(version_1);
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  return head + text;
}

void append_npy(std::string& bytes, std::int64_t element) {
  static_assert(std::endian::native == std::endian::little);
  bytes.append(reinterpret_cast<const char*>(&element), sizeof(element));
}

}  // namespace atl::graph
