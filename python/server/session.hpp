#pragma once
// Answers the calls of one client, one after another. Graphs stay in memory between calls.

#include "python/server/loaded_graph.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace atl::serve {

/// One call of a client while it is answered.
struct call_in_progress {
  arguments& given;
  answer& result;
  progress_view progress;
  bool verifies = false;  ///< whether the client has asked for a check of the result

  /// Reads the argument `verify`. The function that answers a call must read all other arguments
  /// before it calls this function. Throws atl::error (input) if the client has sent further
  /// arguments.
  void read_last_argument() {
    verifies = given.truth("verify");
    given.refuse_others();
  }
};

class session {
 public:
  explicit session(std::shared_ptr<connection> client) : client_(std::move(client)) {}

  /// Answers calls until the client closes the connection. An error of a call is sent to the
  /// client, and the next call is answered. One task on PE 0 calls this function and waits.
  task<> run();

  /// Frees all graphs of the client. One task on PE 0 calls this function after `run`, and waits.
  task<> free_graphs();

  // The calls: each reads its arguments and fills the answer.
  task<> describe_job(call_in_progress& now);
  task<> make_graph(call_in_progress& now);
  task<> read_graph(call_in_progress& now);
  task<> destroy_graph(call_in_progress& now);
  task<> vertex_ids(call_in_progress& now);
  task<> degrees(call_in_progress& now);
  task<> neighbors(call_in_progress& now);
  task<> edges(call_in_progress& now);
  task<> subgraph(call_in_progress& now);
  task<> write_graph(call_in_progress& now);
  task<> components(call_in_progress& now);
  task<> bfs(call_in_progress& now);
  task<> shortest_paths(call_in_progress& now);
  task<> pagerank(call_in_progress& now);
  task<> triangles(call_in_progress& now);
  task<> core_numbers(call_in_progress& now);
  task<> label_propagation(call_in_progress& now);
  task<> communities(call_in_progress& now);
  task<> betweenness(call_in_progress& now);
  task<> spanning_forest(call_in_progress& now);

 private:
  task<answer> answer_to(message& asked);

  /// Sends an answer. The task waits while a thread sends the arrays to a remote client.
  task<> send(answer found, nlohmann::json id);
  void show_progress(const nlohmann::json& id, std::string_view step, double done);
  loaded_graph& graph_of(arguments& of);
  task<> add_graph(call_in_progress& now, loaded_graph made);

  /// Returns the graph that a call needs: with its weights, or without if the call does not want
  /// weights.
  task<global_graph> weighted_or_not(arguments& of);

  std::shared_ptr<connection> client_;
  std::map<std::uint64_t, loaded_graph> graphs_;
  std::uint64_t graphs_made_ = 0;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace atl::serve
