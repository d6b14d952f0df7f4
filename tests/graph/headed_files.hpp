#pragma once
// A test fixture that reads files of formats with a header. The tests of each format with a header
// use this fixture.

#include "graph/reading.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

using text_edges = std::vector<std::tuple<std::string, std::string, std::string>>;

/// A fixture that writes each text to a file of the same name, in a folder of its own.
class headed_files : public testing::Test {
 protected:
  explicit headed_files(std::string_view name) : name_(name) {}

  /// Returns the graph in a text. Expects that the graph is the same if the text is read in several
  /// parts, or compressed.
  whole_graph graph_of(std::string_view text) {
    const auto path = folder_.file(name_, text);
    const auto one = read_whole(path, 1, options_);
    for (const auto& [ending, content] :
         {std::pair{"", std::string(text)}, {".gz", gzipped(text)}, {".zst", zstd_packed(text)}}) {
      const auto name = name_ + ending;
      folder_.file(name, content);
      for (const std::uint64_t parts : {1, 2, 3, 4, 5, 6, 7}) {
        const auto found = read_whole(folder_.path(name), parts, options_);
        EXPECT_EQ(found.edges, one.edges) << name << " in " << parts;
        EXPECT_EQ(rest_of_error(found, name), rest_of_error(one, name_)) << name << " in " << parts;
      }
    }
    return one;
  }

  text_edges edges_in(std::string_view text) {
    const auto found = graph_of(text);
    EXPECT_EQ(found.error.value_or(""), "");
    return found.edges;
  }

  /// Returns the error for a text, without the path at its beginning.
  std::string error_in(std::string_view text) { return rest_of_error(graph_of(text), name_); }

  const scratch_folder folder_;
  const std::string name_;
  atl::read_options options_;

 private:
  std::string rest_of_error(const whole_graph& found, const std::string& name) const {
    const auto path = folder_.path(name);
    const auto text = found.error.value_or("");
    return text.starts_with(path) ? text.substr(path.size()) : text;
  }
};
