#pragma once
// Checks that must hold for any bytes in a file of keys. The library's reader must return the keys
// that a plain reader of this file finds. If the plain reader fails at a line, the error of the
// library's reader must name the same line. If the file is read in several parts, the parts
// together must have the same keys as the whole file.

#include "atoll/graph/load_keys.hpp"

#include "edge_checks.hpp"

#include <optional>
#include <vector>

namespace key_checks {

using keys = std::vector<std::uint64_t>;

/// The keys of a text, or the number of the first line without a key.
struct plain_text {
  explicit plain_text(std::string text) {
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    std::size_t number = 0;
    for (const auto& line : naive::lines_of(text)) {
      if (!wrong_line) take(line, ++number);
    }
  }

  keys all;
  std::optional<std::size_t> wrong_line;

 private:
  void take(std::string line, std::size_t number) {
    if (line.ends_with('\r')) line.pop_back();
    const auto begin = line.find_first_not_of(" \t");
    if (begin == line.npos || line[begin] == '#') return;
    line.erase(0, begin);
    line.erase(line.find_last_not_of(" \t") + 1);
    std::uint64_t key = 0;
    for (const char c : line) {
      const bool digit = c >= '0' && c <= '9';
      const auto value = static_cast<std::uint64_t>(c - '0');
      if (!digit || key > (~std::uint64_t{0} - value) / 10) {
        wrong_line = number;
        return;
      }
      key = key * 10 + value;
    }
    all.push_back(key);
  }
};

/// The keys that the reader returned, or its error.
struct outcome {
  keys all;
  std::optional<std::string> error;
};

inline outcome read(const std::string& path, std::uint64_t parts) {
  outcome found;
  try {
    for (std::uint64_t part = 0; part < parts; ++part) {
      const keys some = atl::keys_of_part({path, part, parts});
      found.all.insert(found.all.end(), some.begin(), some.end());
    }
  } catch (const atl::error& e) {
    found.error = e.what();
  }
  return found;
}

inline void check(std::span<const std::uint8_t> input) {
  using edge_checks::require;
  const std::string content(input.begin(), input.end());
  const edge_checks::memory_file file(content);
  const outcome whole = read(file.path(), 1);
  const outcome parts = read(file.path(), 3);
  require(whole.error.has_value() == parts.error.has_value(), "parts differ: an error");
  if (!whole.error) require(whole.all == parts.all, "parts differ: keys");
  if (content.starts_with("\x93NUMPY")) return;
  if (edge_checks::is_refused(content))
    return require(whole.error.has_value(), "data that is not read taken for keys");
  const plain_text expected(content);
  require(whole.error.has_value() == expected.wrong_line.has_value(), "an error too much");
  if (!whole.error) return require(whole.all == expected.all, "other keys");
  const std::string place = file.path() + ":" + std::to_string(*expected.wrong_line) + ":";
  require(whole.error->starts_with(place), *whole.error);
}

}  // namespace key_checks
