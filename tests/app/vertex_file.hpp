#pragma once
// Parses the rows of output files about vertices, for tests.

#include "graph/scratch_file.hpp"
#include "graph/unpacking.hpp"

#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace atl::app {

/// A table that maps the first column of each row to the other columns. No two rows have the same
/// first column.
using vertex_table = std::map<std::string, std::vector<std::string>>;

/// Returns the rows of `text`, whose first line must be `titles`. `separator` is the text between
/// two columns.
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
