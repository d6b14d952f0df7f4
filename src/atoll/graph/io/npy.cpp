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

// The position and the length of the dictionary in a file. The length is a number after the
// version: two bytes in format 1, and four bytes in later formats.
struct head_place {
  std::uint64_t begin;
  std::uint64_t bytes;
};

head_place find_head(const input_file& file) {
  constexpr std::uint64_t place_of_version = 6, place_of_length = 8;
  std::array<char, 12> start{};
  const std::size_t read = file.read_at(0, start);
  const auto version = static_cast<unsigned char>(start[place_of_version]);
  const std::uint64_t begin = version == 1 ? 10 : 12;
  if (read < begin)
    fail(errc::input, "{}: byte {}: the head of the array is damaged: the file ends here",
         file.path(), read);
  if (version < 1 || version > 3)
    fail(errc::input,
         "{}: byte {}: the head of the array is damaged: its version is {}, not 1 to 3",
         file.path(), place_of_version, version);
  std::uint64_t bytes = 0;
  for (std::uint64_t at = begin; at-- > place_of_length;)
    bytes = bytes << 8 | static_cast<unsigned char>(start[at]);
  constexpr std::uint64_t longest = 1 << 16;
  if (bytes > longest || begin + bytes > file.size())
    fail(errc::input,
         "{}: byte {}: the head of the array is damaged: its length is {}, and the file has {} "
         "bytes",
         file.path(), place_of_length, bytes, file.size());
  return {begin, bytes};
}

/// Returns the text after `'name':` in a dictionary of Python.
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

/// Returns the size of an array of one dimension, from a text such as "(12,)".
std::optional<std::uint64_t> only_dimension(std::string_view text) {
  auto shape = between(text, '(', ')');
  std::uint64_t size = 0;
  const auto [end, status] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
  if (status != std::errc{}) return std::nullopt;
  shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
  return shape == "," ? std::optional(size) : std::nullopt;
}

/// Returns a description of an array. Only the members that depend on the type of elements are set.
npy_array array_of_type(const input_file& file, std::string_view type) {
  if (type == "<u4" || type == "<i4") return {0, 4, type == "<i4", 0};
  if (type == "<u8" || type == "<i8") return {0, 8, type == "<i8", 0};
  fail(errc::input, "{}: elements are '{}', and keys are '<u4', '<u8', '<i4' or '<i8'", file.path(),
       type);
}

/// Checks the length of the file, because the declared size may be wrong.
void check_length(const input_file& file, const npy_array& array) {
  const std::uint64_t there = (file.size() - array.offset) / array.element_bytes;
  if (there < array.elements)
    fail(errc::input, "{}: byte {}: the file has {} of the {} elements of its array and ends here",
         file.path(), file.size(), there, array.elements);
  const auto end = array.offset + array.elements * array.element_bytes;
  if (end != file.size())
    fail(errc::input, "{}: byte {}: the array of {} elements ends here, and the file has {} bytes",
         file.path(), end, array.elements, file.size());
}

}  // namespace

bool is_npy(const input_file& file) {
  std::array<char, k_magic.size()> start{};
  return file.read_at(0, start) == start.size() &&
         std::string_view(start.data(), start.size()) == k_magic;
}

npy_array read_npy_head(const input_file& file) {
  const auto [begin, bytes] = find_head(file);
  std::string head(bytes, '\0');
  file.read_exactly(begin, head);
  if (!head.ends_with('\n'))
    fail(errc::input, "{}: byte {}: the head of the array is damaged: no line ends here",
         file.path(), begin + bytes);
  npy_array array = array_of_type(file, between(value_of(head, "descr"), '\'', '\''));
  const auto size = only_dimension(value_of(head, "shape"));
  if (!size) fail(errc::input, "{}: the array does not have one dimension", file.path());
  array.elements = *size;
  array.offset = begin + bytes;
  check_length(file, array);
  return array;
}

std::string npy_head(std::uint64_t rows, std::size_t columns, std::string_view type) {
  constexpr auto version_1 = "\x93NUMPY\x01\x00"sv;
  constexpr std::size_t length_bytes = 2;
  constexpr std::size_t alignment = 64;  // alignment of the first element, in bytes
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
