#pragma once
// Provides a graph and keys for the commands that print answers, and compares their output files
// with expected files.

#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace atl::app {

/// Checks the output files of all commands that print answers, for any number of PEs and any
/// launcher.
class answer_files {
 public:
  /// Runs every command with `flags` under `launcher`, and checks the output file of each command.
  void expect_right(const std::string& launcher, const std::string& flags) const {
    for (const auto& [command, name] : k_commands) {
      const auto path = folder_.path(name);
      std::filesystem::remove(path);
      const auto line = fmt::format("{} $p {} {} --verify {} -o {}", launcher, command,
                                    command == "sort" ? keys_ : graph_, flags, path);
      expect(line, 0, "verified: the result is right\n");
      expect_content(command, content_of(path), line);
    }
  }

 private:
  static constexpr int k_vertices = 60;
  inline static const std::vector<std::pair<std::string, std::string>> k_commands = {
      {"bfs --root 3", "tree.csv"},
      {"cc", "labels.csv"},
      {"pagerank --undirected", "ranks.csv"},
      {"mst", "forest.wel"},
      {"sort", "keys.txt"}};

  // The graph consists of three rings. Each ring joins the vertices with the same remainder modulo
  // 3, in ascending order.
  static std::string edges_text() {
    std::string text;
    for (int v = 0; v < k_vertices; ++v)
      text += fmt::format("{} {} {}\n", v, (v + 3) % k_vertices, v);
    return text;
  }
  static std::string keys_text() {
    std::string text;
    for (int i = 0; i < 500; ++i) text += fmt::format("{}\n", i * 7919 % 503);
    return text;
  }
  static std::string sorted_text() {
    std::vector<int> all;
    for (int i = 0; i < 500; ++i) all.push_back(i * 7919 % 503);
    std::ranges::sort(all);
    std::string text;
    for (const int key : all) text += fmt::format("{}\n", key);
    return text;
  }
  static std::string labels_text() {
    std::string text = "vertex,label\n";
    for (int v = 0; v < k_vertices; ++v) text += fmt::format("{},{}\n", v, v % 3);
    return text;
  }
  // The expected forest contains all edges except the heaviest edge of each ring.
  static std::string forest_text() {
    std::string text;
    for (int v = 0; v + 3 < k_vertices; ++v) text += fmt::format("{} {} {}\n", v, v + 3, v);
    return text;
  }

  static void expect_content(const std::string& command, const std::string& text,
                             const std::string& line) {
    if (command.starts_with("bfs")) return expect_tree(text, line);
    if (command.starts_with("pagerank")) return expect_ranks(text, line);
    const auto expected = command == "cc"    ? labels_text()
                          : command == "mst" ? forest_text()
                                             : sorted_text();
    EXPECT_EQ(text, expected) << line;
  }
  // Checks the distances only. The vertex opposite the root has two possible parents, so parents
  // are not checked.
  static void expect_tree(const std::string& text, const std::string& line) {
    const auto rows = rows_of(text, "vertex,parent,distance", ',');
    EXPECT_EQ(rows.size(), k_vertices / 3U) << line;
    for (const auto& [vertex, columns] : rows) {
      const int steps = (std::stoi(vertex) - 3 + k_vertices) % k_vertices / 3;
      EXPECT_EQ(columns.at(1), std::to_string(std::min(steps, k_vertices / 3 - steps)))
          << vertex << ": " << line;
    }
  }
  static void expect_ranks(const std::string& text, const std::string& line) {
    const auto rows = rows_of(text, "vertex,rank", ',');
    EXPECT_EQ(rows.size(), std::size_t{k_vertices}) << line;
    for (const auto& [vertex, columns] : rows)
      EXPECT_NEAR(std::stod(columns.at(0)), 1.0 / k_vertices, 1e-12) << vertex << ": " << line;
  }

  scratch_folder folder_;
  const std::string graph_ = folder_.file("rings.wel", edges_text());
  const std::string keys_ = folder_.file("mixed.txt", keys_text());
};

}  // namespace atl::app
