// Tests each format of graph files in the table of formats. A new row of the table is tested
// automatically.

#include "atoll/error.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "graph/any_format.hpp"
#include "graph/scratch_file.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace atl;
using testing::HasSubstr;
using testing::StartsWith;

class formats : public testing::TestWithParam<edge_format> {
 protected:
  const edge_format format_ = GetParam();
  const format_traits& traits_ = traits_of(format_);

  /// Writes a random graph to a file with this name, and returns the graph.
  graph_to_write written(const std::string& name, bool undirected = false) const {
    auto graph = any_format::random_graph(format_, folder_.path(name), undirected);
    write_graph(graph_to_write(graph));
    return graph;
  }

  /// Checks that the parts of the file together contain the whole graph.
  void expect_in_parts(const graph_to_write& graph) const {
    const bool directed = !traits_.without_directions && !graph.undirected;
    for (const std::uint64_t parts : {1, 2, 3, 5, 8}) {
      const auto found = read_whole(graph.path, parts);
      ASSERT_EQ(found.error, std::nullopt) << graph.path << " in " << parts;
      EXPECT_EQ(any_format::comparable(found.edges, directed),
                any_format::comparable(any_format::edges_of(graph), directed))
          << graph.path << " in " << parts;
      if (traits_.is_list) continue;
      ASSERT_TRUE(found.declared);
      EXPECT_EQ(found.declared->vertices, graph.vertices);
    }
  }

  /// Checks that a file with this content is refused, no matter how the PEs divide the file.
  void expect_refused(const std::string& path, std::string_view content) const {
    replace(path, content);
    for (const std::uint64_t parts : {1, 3, 8}) {
      const auto found = read_whole(path, parts, {{.format = file_format{format_, {}}}});
      ASSERT_TRUE(found.error) << path << ": " << content.size() << " bytes in " << parts;
      EXPECT_THAT(*found.error, StartsWith(folder_.path("")));
    }
  }

  static void replace(const std::string& path, std::string_view content) {
    std::filesystem::remove(path);
    std::ofstream(path) << content;
  }

  const scratch_folder folder_;
};

TEST_P(formats, are_read_in_parts_as_they_were_written) {
  const std::vector<std::string> endings =
      traits_.binary ? std::vector<std::string>{""} : std::vector<std::string>{"", ".gz", ".zst"};
  for (const auto& ending : endings) {
    expect_in_parts(written(any_format::file_name(format_) + ending));
    if (traits_.says_direction)
      expect_in_parts(written(any_format::file_name(format_, "b") + ending, true));
  }
}

TEST_P(formats, are_known_by_their_names) {
  const auto name = "d.ir/" + any_format::file_name(format_);
  EXPECT_EQ(file_format_of(name).edges, format_);
  EXPECT_EQ(edge_format_named(name_of(format_)), format_);
  EXPECT_EQ(files_of(name, format_)[0], name);
  if (traits_.binary) {
    EXPECT_THROW(file_format_of(name + ".gz"), error);
  } else {
    EXPECT_EQ(file_format_of(name + ".gz").packing, compression::gzip);
  }
}

TEST_P(formats, are_known_by_their_content_and_taken_for_no_other) {
  const auto path = written(any_format::file_name(format_)).path;
  EXPECT_EQ(recognised_format(path).edges, format_);
  const graph::input_file file(path);
  const auto content = content_of(path);
  const graph::file_beginning beginning{file, compression::none, content};
  for (const auto other : all_edge_formats()) {
    const auto likeness = graph::row_of(other).recognise(beginning);
    if (likeness != graph::likeness::certain) continue;
    ASSERT_EQ(other, format_) << name_of(other);
    for (const auto* const name : {"a", "b.txt"})
      EXPECT_EQ(recognised_format(folder_.file(name, content)).edges, format_) << name;
  }
  if (traits_.shared_ending.empty()) return;
  const auto shared = fmt::format("a.{}", traits_.shared_ending);
  EXPECT_EQ(recognised_format(folder_.file(shared, content)).edges, format_);
}

TEST_P(formats, that_say_a_size_are_refused_where_it_is_wrong) {
  if (traits_.is_list) return;
  const auto path = written(any_format::file_name(format_)).path;
  const auto content = content_of(path);
  const auto line_at = [&](std::size_t place) {
    return traits_.binary ? place : content.rfind('\n', place - 1) + 1;
  };
  expect_refused(path, "");
  for (const auto place : {content.size() / 4, content.size() / 2, content.size() - 1})
    expect_refused(path, content.substr(0, line_at(place)));
  expect_refused(path, content + (traits_.binary ? std::string(16, '\0')
                                                 : content.substr(line_at(content.size() - 1))));
}

TEST_P(formats, that_become_shorter_while_they_are_read_are_refused) {
  const auto graph = written(any_format::file_name(format_));
  const auto content = content_of(graph.path);
  edge_reader reader({graph.path});
  std::filesystem::resize_file(graph.path, content.rfind('\n', content.size() / 2) + 1);
  const auto read = [&] {
    while (reader.read_some()) {
    }
  };
  if (traits_.compressed) {  // The reader already holds the whole compressed file.
    read();
    EXPECT_EQ(reader.edges(), graph.edges.size());
  } else {
    EXPECT_THAT(test::refusal_of(read), HasSubstr("the file became shorter while it was read"));
  }
}

TEST_P(formats, are_listed_wherever_formats_are) {
  const auto pattern = pattern_of(format_);
  EXPECT_THAT(names_of_formats(), HasSubstr(name_of(format_)));
  EXPECT_THAT(patterns_of_formats(), HasSubstr(pattern));
  EXPECT_THAT(formats_explained(), HasSubstr(pattern));
  EXPECT_THAT(formats_explained(), HasSubstr(traits_.holds));
  EXPECT_THAT(test::refusal_of([] { file_format_of("a.npy"); }), HasSubstr(pattern));
  for (const auto other : all_edge_formats())
    EXPECT_EQ(pattern_of(other) == pattern, other == format_) << name_of(other);
}

TEST_P(formats, are_written_edge_by_edge_or_say_what_writes_them) {
  const auto path = folder_.path(any_format::file_name(format_));
  const auto graph = any_format::random_graph(format_, path, false);
  const auto write = [&] {
    edge_writer writer(path, graph.format,
                       {graph.vertices, graph.edges.size(), false, has_weights(format_)});
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
      writer.write(graph.edges[i], graph.weights.empty() ? 1 : graph.weights[i]);
    writer.commit();
  };
  if (is_written_by_edge(format_)) {
    write();
    return expect_in_parts(graph);
  }
  EXPECT_EQ(test::refusal_of(write),
            fmt::format("{}: {} is not written edge by edge: atoll convert "
                        "makes it",
                        path, called(format_)));
}

/// Returns the names in backticks in the first column of the first table of a page.
std::vector<std::string> names_in_first_table(const std::filesystem::path& page) {
  std::ifstream file(page);
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('|')) {
      if (!names.empty()) break;
      continue;
    }
    const auto column = line.substr(1, line.find('|', 1) - 1);
    for (auto at = column.find('`'); at != column.npos; at = column.find('`', at)) {
      const auto end = column.find('`', at + 1);
      names.push_back(column.substr(at + 1, end - at - 1));
      at = end + 1;
    }
  }
  return names;
}

TEST(formats_page, has_the_names_of_the_table) {
  const auto root = std::filesystem::path(__FILE__).parent_path() / "../..";
  const auto names = names_in_first_table(root / "docs/how-to/bring-your-own-graph.md");
  EXPECT_GE(names.size(), 10u);
  for (const auto& name : names) {
    const auto has_it = [&](edge_format format) {
      return pattern_of(format) == name ||
             fmt::format(".{}", traits_of(format).shared_ending) == name;
    };
    EXPECT_TRUE(std::ranges::any_of(all_edge_formats(), has_it)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(of, formats, testing::ValuesIn(all_edge_formats()),
                         [](const auto& of) { return std::string(name_of(of.param)); });

}  // namespace
