#include "atoll/graph/io/read_keys.hpp"

#include "atoll/base/error.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace atl {
namespace {

using keys = std::vector<std::uint64_t>;

constexpr std::size_t k_bytes_at_once = std::size_t{1} << 20;

std::uint64_t part_begin(std::uint64_t all, std::uint64_t part, std::uint64_t parts) {
  return all / parts * part + std::min(part, all % parts);
}

template <class Element>
void append_elements(std::string_view bytes, keys& into) {
  for (std::size_t at = 0; at + sizeof(Element) <= bytes.size(); at += sizeof(Element)) {
    Element element;
    std::memcpy(&element, bytes.data() + at, sizeof element);
    into.push_back(element);
  }
}

void refuse_negative(const graph::input_file& file, const graph::npy_array& array,
                     std::uint64_t first, const keys& found) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * array.element_bytes - 1);
  const auto negative =
      std::ranges::find_if(found, [sign](std::uint64_t key) { return (key & sign) != 0; });
  if (!array.is_signed || negative == found.end()) return;
  fail(errc::input, "{}: element {} is negative", file.path(),
       first + static_cast<std::uint64_t>(negative - found.begin()));
}

keys read_array(const graph::input_file& file, const file_part& which,
                const reading_progress& progress) {
  const auto array = graph::read_npy_head(file);
  const std::uint64_t first = part_begin(array.elements, which.part, which.parts);
  const std::uint64_t size = part_begin(array.elements, which.part + 1, which.parts) - first;
  keys found;
  found.reserve(size);
  std::string bytes;
  for (std::uint64_t done = 0; done < size;) {
    bytes.resize(std::min<std::uint64_t>(k_bytes_at_once, (size - done) * array.element_bytes));
    bytes.resize(file.read_at(array.offset + (first + done) * array.element_bytes, bytes));
    if (bytes.size() < array.element_bytes)
      fail(errc::input, "{}: the file became shorter while it was read", file.path());
    if (array.element_bytes == 4)
      append_elements<std::uint32_t>(bytes, found);
    else
      append_elements<std::uint64_t>(bytes, found);
    done = found.size();
    if (progress) progress(static_cast<double>(done) / static_cast<double>(size));
  }
  refuse_negative(file, array, first, found);
  return found;
}

std::string key_complaint(std::string_view field) {
  const bool is_number = !field.empty() && std::ranges::all_of(field, graph::is_digit);
  if (!is_number)
    return fmt::format("expected an integer from 0 to 2^64 - 1, found {}", graph::shown(field));
  return fmt::format("{} is out of range (0 to 2^64 - 1)", graph::shown(field));
}

/// The key in a line, and nothing else.
std::uint64_t key_at(const char* text, const graph::line_blocks& blocks) {
  const auto field = graph::field_at(text);
  std::uint64_t key = 0;
  const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), key);
  if (status != std::errc{} || end != field.data() + field.size())
    throw blocks.error_at(text, key_complaint(field));
  const char* const rest = graph::skip_blanks(end);
  if (!graph::at_end_of_line(rest))
    throw blocks.error_at(rest, fmt::format("expected the end of the line, found {}",
                                            graph::shown(graph::field_at(rest))));
  return key;
}

keys read_text(const graph::input_file& file, const file_part& which,
               const reading_progress& progress) {
  graph::line_blocks blocks(file, compression_of(file.path()), which);
  keys found;
  for (auto block = blocks.next(); !block.empty(); block = blocks.next()) {
    for (const char* line = block.data(); line < block.data() + block.size();
         line = graph::next_line(line)) {
      const char* const text = graph::skip_blanks(line);
      if (graph::at_end_of_line(text) || *text == '#') continue;
      found.push_back(key_at(text, blocks));
    }
    if (progress) progress(blocks.progress());
  }
  return found;
}

}  // namespace

std::vector<std::uint64_t> read_keys(const file_part& which, const reading_progress& progress) {
  const graph::input_file file(which.path);
  return graph::is_npy(file) ? read_array(file, which, progress) : read_text(file, which, progress);
}

}  // namespace atl
