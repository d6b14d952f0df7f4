#pragma once
// What `atoll bfs` was asked for.

#include "app/graph_flags.hpp"
#include "atoll/kernels/bfs/queue.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl::app {

struct bfs_flags : graph_flags {
  benchmark_flags common;
  orientation arcs_are = orientation::undirected;
  std::uint64_t roots = 16;
  std::vector<std::string> chosen_roots;          ///< names or ids, in place of random ones
  std::optional<kernels::bfs::queue_form> queue;  ///< that what is found goes through
  bool levels = false;
  std::string path_to;  ///< name or id, "" for none
};

/// The forms as the user names them, in the order of `queue_form`.
inline const std::vector<std::string> k_queue_forms = {"delegates", "simple", "combining",
                                                       "relaxed"};

}  // namespace atl::app
