#pragma once
// The two example graphs of LDBC Graphalytics (ldbc/ldbc_graphalytics, Apache 2.0), as files for
// tests. The tests of the commands contain the published results for both example graphs.

#include "graph/scratch_file.hpp"

#include <string>

namespace atl::app {

/// A folder with directed.e, directed.v, undirected.e and undirected.v.
class graphalytics_files {
 public:
  graphalytics_files() {
    folder_.file("directed.e",
                 "1 3 0.5\n1 5 0.3\n2 4 0.1\n2 5 0.3\n2 10 0.12\n3 1 0.53\n3 5 0.62\n3 8 0.21\n"
                 "3 10 0.52\n5 3 0.69\n5 4 0.53\n5 8 0.1\n6 3 0.23\n6 4 0.39\n7 4 0.83\n8 1 0.39\n"
                 "9 4 0.69\n");
    folder_.file("directed.v", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    folder_.file("undirected.e",
                 "2 3 0.9\n2 4 0.69\n3 4 0.13\n3 5 0.5\n3 8 0.32\n5 6 0.63\n5 8 0.12\n6 7 0.53\n"
                 "6 8 0.64\n6 9 0.23\n6 10 0.63\n7 9 0.36\n");
    folder_.file("undirected.v", "2\n3\n4\n5\n6\n7\n8\n9\n10\n");
  }

  std::string path(const std::string& name) const { return folder_.path(name); }

  /// Writes another file in the folder, and returns its path.
  std::string file(const std::string& name, const std::string& content) const {
    return folder_.file(name, content);
  }

 private:
  scratch_folder folder_;
};

}  // namespace atl::app
