#pragma once
// Files of properties as Java writes them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph::bvgraph {

struct property {
  std::string name;
  std::string value;
  std::uint64_t line = 0;  ///< where it begins, from 1 on
};

/// The properties of a text: name and value are separated by `=`, `:` or blanks; `#` and `!` begin
/// comments; a backslash continues a line and begins escapes (\t \n \r \f, \uXXXX, and others stand
/// for themselves). Names and values are UTF-8. Of a name that occurs twice the last one counts.
class java_properties {
 public:
  /// `path` is for errors. Throws `error` (input) "FILE:LINE: sentence" for an escape that is none.
  java_properties(std::string path, std::string_view text);

  const std::string& path() const { return path_; }

  /// The property of this name, or none. Valid as long as this.
  const property* find(std::string_view name) const;

 private:
  void add(std::string_view logical_line, std::uint64_t number);
  std::string unescaped(std::string_view text, std::uint64_t number) const;

  std::string path_;
  std::vector<property> all_;
};

/// Those of a file. Throws `error` (input), also for a file of more than 1 MiB.
java_properties read_properties(const std::string& path);

}  // namespace atl::graph::bvgraph
