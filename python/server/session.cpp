#include "python/server/session.hpp"

#include "atoll/kernels/betweenness.hpp"
#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/communities.hpp"
#include "atoll/kernels/components.hpp"
#include "atoll/kernels/core_numbers.hpp"
#include "atoll/kernels/forest.hpp"
#include "atoll/kernels/label_propagation.hpp"
#include "atoll/kernels/pagerank.hpp"
#include "atoll/kernels/shortest_paths.hpp"
#include "atoll/kernels/triangles.hpp"
#include "atoll/log.hpp"
#include "atoll/loops.hpp"

#include <fmt/format.h>
#include <system_error>

namespace atl::serve {
namespace {

using clock = std::chrono::steady_clock;

/// A call by its name in messages, and the function that answers it.
struct named_call {
  std::string_view name;
  task<> (session::*answer)(call_in_progress&);
};

constexpr named_call k_calls[] = {{"job", &session::describe_job},
                                  {"graph", &session::make_graph},
                                  {"read", &session::read_graph},
                                  {"destroy", &session::destroy_graph},
                                  {"vertices", &session::vertex_ids},
                                  {"degrees", &session::degrees},
                                  {"neighbors", &session::neighbors},
                                  {"edges", &session::edges},
                                  {"subgraph", &session::subgraph},
                                  {"write", &session::write_graph},
                                  {"components", &session::components},
                                  {"bfs", &session::bfs},
                                  {"shortest_paths", &session::shortest_paths},
                                  {"pagerank", &session::pagerank},
                                  {"triangles", &session::triangles},
                                  {"core_numbers", &session::core_numbers},
                                  {"label_propagation", &session::label_propagation},
                                  {"communities", &session::communities},
                                  {"betweenness", &session::betweenness},
                                  {"spanning_forest", &session::spanning_forest}};

std::string_view name_of(errc code) {
  switch (code) {
  case errc::input:
    return "input";
  case errc::out_of_memory:
    return "out_of_memory";
  case errc::wrong_result:
    return "wrong_result";
  default:
    return "environment";
  }
}

/// Returns the text of an error without positions in the source code, which tell a user nothing.
/// Some error texts begin with a source position; the text of an error on another PE ends with the
/// source position of a spawn.
std::string without_places(std::string text) {
  constexpr std::string_view spawned = " (in the task spawned at ";
  if (const auto end = text.find(spawned); end != std::string::npos) {
    text.resize(end);
    if (text.starts_with("PE ")) text.erase(0, text.find(": ") + 2);
  }
  for (const std::string_view file :
       {"session.cpp:", "loaded_graph.cpp:", "graph_edges.cpp:", "answer.hpp:"}) {
    if (!text.starts_with(file)) continue;
    const auto after = text.find_first_not_of("0123456789", file.size());
    if (text.compare(after, 2, ": ") == 0) text.erase(0, after + 2);
  }
  return text;
}

nlohmann::json described(const std::exception_ptr& failure) {
  return {{"code", name_of(carried_code(failure))}, {"text", without_places(describe(failure))}};
}

}  // namespace

task<> session::run() {
  receiver arriving(client_);
  while (auto asked = co_await arriving.next()) {
    answer found = co_await answer_to(*asked);
    arriving.end_call();
    co_await send(std::move(found), asked->body.value("id", nlohmann::json()));
  }
}

task<> session::free_graphs() {
  while (!graphs_.empty()) {
    loaded_graph last = graphs_.begin()->second;
    graphs_.erase(graphs_.begin());
    co_await last.destroy();
  }
}

namespace {

/// Sends an answer. A failure ends the connection, because the rest of the answer is missing.
void send_or_close(answer& found, connection& to, const nlohmann::json& id) {
  try {
    found.send(to, id);
  } catch (const error& failure) {
    log::warning("an answer could not be sent: {}", failure.what());
    to.stop_receiving();
  }
}

}  // namespace

task<> session::send(answer found, nlohmann::json id) {
  if (!client_->is_remote()) {
    found.send(*client_, id);
    co_return;
  }
  const user_event sent = make_user_event();
  // The thread owns what it uses: if the job ends early, the thread may still run.
  auto sending = [found = std::move(found), id = std::move(id), to = client_,
                  done = sent.outside()]() mutable {
    send_or_close(found, *to, id);
    wake(done);
  };
  try {
    std::thread(std::move(sending)).detach();
  } catch (const std::system_error& failure) {
    log::warning("an answer could not be sent: {}", failure.what());
    client_->stop_receiving();
    co_return;
  }
  co_await sent;
}

task<answer> session::answer_to(message& asked) {
  arguments given(asked);
  answer result;
  const nlohmann::json id = asked.body.value("id", nlohmann::json());
  const auto show = [&](std::string_view step, double done) { show_progress(id, step, done); };
  call_in_progress now{given, result, show};
  try {
    if (asked.refusal) std::rethrow_exception(asked.refusal);
    const std::string& name = given.call();
    const auto* const found = std::ranges::find(k_calls, name, &named_call::name);
    if (found == std::end(k_calls)) fail(errc::input, "there is no call {}", name);
    co_await (this->*found->answer)(now);
  } catch (...) {
    result.fail_with(described(std::current_exception()));
  }
  co_return result;
}

void session::show_progress(const nlohmann::json& id, std::string_view step, double done) {
  constexpr auto between = std::chrono::milliseconds(100);
  const auto present = clock::now();
  if (present - last_shown_ < between) return;
  last_shown_ = present;
  client_->send_if_read({{"id", id}, {"progress", {{"step", step}, {"done", done}}}});
}

loaded_graph& session::graph_of(arguments& of) {
  const auto found = graphs_.find(of.count("graph", 0));
  if (found == graphs_.end()) fail(errc::input, "graph: there is no such graph in this session");
  return found->second;
}

task<global_graph> session::weighted_or_not(arguments& of) {
  loaded_graph& graph = graph_of(of);
  if (of.truth("unweighted")) co_return co_await graph.without_weights();
  co_return graph.main();
}

namespace {

/// Awaits `steps()`, and then frees the result `found`, even if `steps()` throws.
template <class Result, class Steps>
task<> freed_after(Result found, Steps steps) {
  std::exception_ptr failure;
  try {
    co_await steps();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await found.destroy();
  if (failure) std::rethrow_exception(failure);
}

/// Verifies the result `found` of a graph, if the client has asked for it. Adds an array with the
/// columns to the answer, as `answer::add_rows` does, and frees the result.
template <class Result, class... T>
task<> deliver(call_in_progress& now, global_graph graph, Result found, const char* titles,
               vertex_array<T>... columns) {
  const auto steps = [&]() -> task<> {
    if (now.verifies) co_await verify(graph, found);
    co_await now.result.add_rows(titles, columns...);
  };
  co_await freed_after(found, steps);
}

/// Adds the edges of a forest to an answer. Each PE writes its part of the edges.
task<> add_edges(answer& to, global_array<weighted_edge> all) {
  const std::uint64_t edges = all.size();
  auto file = make_memory_file(edges * sizeof(weighted_edge));
  co_await on_all_pes([all, to = shared_file::of(file)]() -> task<> {
    const std::span<const weighted_edge> mine = all.local();
    const std::uint64_t first = all.block_size() * static_cast<std::uint64_t>(my_pe());
    co_await to.write(first * sizeof(weighted_edge), std::as_bytes(mine));
  });
  to.add_file(std::move(file), {{"u", "<i8"}, {"v", "<i8"}, {"weight", "<i8"}}, edges);
}

}  // namespace

task<> session::describe_job(call_in_progress& now) {
  now.given.refuse_others();
  now.result.facts["pes"] = pes();
  now.result.facts["version"] = ATOLL_VERSION;
  co_return;
}

task<> session::add_graph(call_in_progress& now, loaded_graph made) {
  const std::uint64_t number = ++graphs_made_;
  made.describe(now.result);
  now.result.facts["graph"] = number;
  graphs_.emplace(number, made);
  co_return;
}

task<> session::make_graph(call_in_progress& now) {
  co_await add_graph(now, co_await loaded_graph::of_arrays(now.given, now.progress));
}

task<> session::read_graph(call_in_progress& now) {
  co_await add_graph(now, co_await loaded_graph::of_file(now.given, now.progress));
}

task<> session::destroy_graph(call_in_progress& now) {
  loaded_graph old = graph_of(now.given);
  graphs_.erase(now.given.count("graph", 0));
  co_await old.destroy();
}

task<> session::vertex_ids(call_in_progress& now) {
  const loaded_graph& graph = graph_of(now.given);
  now.given.refuse_others();
  co_await graph.add_ids(now.result);
}

task<> session::degrees(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  now.given.refuse_others();
  const auto found = co_await make_vertex_array<std::uint64_t>(graph);
  co_await on_all_pes([graph, found] {
    found.for_each_local([&](vertex_id v, std::uint64_t& degree) { degree = graph.degree(v); });
  });
  const auto add = [&] { return now.result.add_rows("degree", found); };
  co_await freed_after(found, add);
}

task<> session::neighbors(call_in_progress& now) {
  loaded_graph& graph = graph_of(now.given);
  const vertex_id vertex = co_await graph.vertex(now.given, "vertex");
  now.given.refuse_others();
  const global_graph of = graph.main();
  const int owner = of.owner_of(vertex);
  const std::uint64_t count = co_await call(owner, [of, vertex] { return of.degree(vertex); });
  auto file = make_memory_file(count * sizeof(vertex_id));
  co_await on_all_pes([of, vertex, owner, to = shared_file::of(file)]() -> task<> {
    if (my_pe() != owner) co_return;
    std::vector<vertex_id> all;
    of.for_each_neighbour(vertex, [&](vertex_id neighbour) { all.push_back(neighbour); });
    std::ranges::sort(all);
    co_await to.write(0, std::as_bytes(std::span(all)));
  });
  now.result.add_file(std::move(file), {{"neighbor", "<i8"}}, count);
}

task<> session::edges(call_in_progress& now) {
  const loaded_graph& graph = graph_of(now.given);
  now.given.refuse_others();
  co_await graph.add_edges(now.result);
}

task<> session::subgraph(call_in_progress& now) {
  const loaded_graph& graph = graph_of(now.given);
  co_await add_graph(now, co_await graph.subgraph(now.given, now.progress));
}

task<> session::write_graph(call_in_progress& now) {
  co_await graph_of(now.given).write(now.given, now.result, now.progress);
}

task<> session::components(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  now.read_last_argument();
  const auto found = co_await connected_components(graph, {now.progress});
  now.result.facts["count"] = found.count;
  co_await deliver(now, graph, found, "component", found.label);
}

task<> session::bfs(call_in_progress& now) {
  loaded_graph& of = graph_of(now.given);
  const global_graph graph = of.main();
  const vertex_id root = co_await of.vertex(now.given, "source");
  now.read_last_argument();
  const auto found = co_await atl::bfs(graph, root, {now.progress});
  now.result.facts["reached"] = found.reached;
  now.result.facts["levels"] = found.levels;
  co_await deliver(now, graph, found, "distance parent", found.distance, found.parent);
}

task<> session::shortest_paths(call_in_progress& now) {
  loaded_graph& of = graph_of(now.given);
  const vertex_id root = co_await of.vertex(now.given, "source");
  const bool unweighted = now.given.truth("unweighted");
  now.read_last_argument();
  const global_graph graph = co_await of.least_weights();
  shortest_paths_options options;
  options.unweighted = unweighted;
  options.progress = now.progress;
  const auto found = co_await atl::shortest_paths(graph, root, options);
  now.result.facts["reached"] = found.reached;
  now.result.facts["farthest"] = found.farthest;
  co_await deliver(now, graph, found, "distance parent", found.distance, found.parent);
}

task<> session::pagerank(call_in_progress& now) {
  const global_graph graph = co_await weighted_or_not(now.given);
  pagerank_options options;
  options.damping = now.given.real("damping", options.damping);
  options.tolerance = now.given.real("tolerance", options.tolerance);
  options.max_iterations = now.given.count("max_iterations", options.max_iterations, 1);
  options.progress = now.progress;
  now.read_last_argument();
  const auto found = co_await atl::pagerank(graph, options);
  now.result.facts["iterations"] = found.iterations;
  now.result.facts["change"] = found.change;
  now.result.facts["converged"] = found.change < options.tolerance;
  co_await deliver(now, graph, found, "rank", found.rank);
}

task<> session::triangles(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  now.read_last_argument();
  const auto found = co_await atl::triangles(graph, {now.progress});
  now.result.facts["count"] = found.count;
  now.result.facts["transitivity"] = found.transitivity();
  co_await deliver(now, graph, found, "triangles clustering", found.triangles, found.clustering);
}

task<> session::core_numbers(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  now.read_last_argument();
  const auto found = co_await atl::core_numbers(graph, {now.progress});
  now.result.facts["largest"] = found.largest;
  co_await deliver(now, graph, found, "core", found.core);
}

task<> session::label_propagation(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  label_propagation_options options;
  options.iterations = now.given.count("iterations", options.iterations);
  options.progress = now.progress;
  now.read_last_argument();
  const auto found = co_await atl::label_propagation(graph, options);
  now.result.facts["iterations"] = found.iterations;
  co_await deliver(now, graph, found, "label", found.label);
}

task<> session::communities(call_in_progress& now) {
  const global_graph graph = co_await weighted_or_not(now.given);
  communities_options options;
  const std::string quality = now.given.text("quality", "modularity");
  if (quality != "modularity" && quality != "cpm")
    fail(errc::input, "quality: '{}' is neither 'modularity' nor 'cpm'", quality);
  if (quality == "cpm") options.quality = community_quality::constant_potts;
  options.resolution = now.given.real("resolution", options.resolution);
  options.seed = now.given.count("seed", options.seed);
  options.iterations = now.given.count("iterations", options.iterations, 1);
  options.progress = now.progress;
  now.read_last_argument();
  const auto found = co_await atl::communities(graph, options);
  now.result.facts["count"] = found.count;
  now.result.facts["modularity"] = found.modularity;
  now.result.facts["quality"] = found.quality;
  co_await deliver(now, graph, found, "community", found.label);
}

task<> session::betweenness(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  betweenness_options options;
  if (now.given.has("k")) options.sources = now.given.count("k", 1, 1);
  options.seed = now.given.count("seed", options.seed);
  options.normalized = !now.given.truth("counted");
  options.progress = now.progress;
  now.read_last_argument();
  const auto found = co_await atl::betweenness(graph, options);
  now.result.facts["sources"] = found.sources;
  co_await deliver(now, graph, found, "betweenness", found.betweenness);
}

task<> session::spanning_forest(call_in_progress& now) {
  const global_graph graph = graph_of(now.given).main();
  now.read_last_argument();
  const auto found = co_await minimum_spanning_forest(graph, {now.progress});
  now.result.facts["trees"] = found.trees;
  now.result.facts["weight"] = found.weight.text();
  const auto steps = [&]() -> task<> {
    if (now.verifies) co_await verify(graph, found);
    co_await add_edges(now.result, found.edges);
  };
  co_await freed_after(found, steps);
}

}  // namespace atl::serve
