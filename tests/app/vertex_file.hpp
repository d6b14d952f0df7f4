#pragma once
// The rows of a file about vertices, as tests look at them.

#include "graph/scratch_file.hpp"
#include "graph/unpacking.hpp"

#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace atl::app {

/// The other columns by the first one, which no two rows have in common.
using vertex_table = std::map<std::string, std::vector<std::string>>;

/// Expects the titles. `separator` stands between columns.
inline vertex_table rows_of(const std::string& text, const std::string& titles, char separator) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, titles);
  vertex_table rows;
  while (std::getline(lines, line)) {
    std::istringstream columns(line);
    std::string first;
    std::getline(columns, first, separator);
    EXPECT_FALSE(rows.contains(first)) << first;
    auto& others = rows[first];
    for (std::string column; std::getline(columns, column, separator);) others.push_back(column);
  }
  return rows;
}

}  // namespace atl::app
