#include "app/bfs_job.hpp"

#include "app/bfs_memory.hpp"
#include "app/bfs_searches.hpp"
#include "app/graph_memory.hpp"
#include "app/job_result.hpp"
#include "atoll/error.hpp"

#include <algorithm>

namespace atl::app {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::uint64_t id_in_range(std::string_view flag, const std::string& text, std::uint64_t vertices) {
  constexpr std::size_t digits_that_fit = 19;  // 64 bits
  if (vertices == 0) fail(errc::input, "{}: the graph has no vertices", flag);
  if (text.size() <= digits_that_fit && std::stoull(text) < vertices) return std::stoull(text);
  fail(errc::input, "{}: {} is out of range (0 to {})", flag, text, vertices - 1);
}

class bfs_job {
 public:
  bfs_job(const bfs_flags& flags, const settings& options, trial_series& trials,
          vertex_output& output)
      : flags_(flags), options_(options), trials_(trials), output_(output) {}

  task<bfs_findings> main() {
    bfs_input input{flags_, trials_, output_, {}, {}, {}};
    input.graph = co_await read_input(flags_, trials_, findings_);
    if (flags_.arcs_are != orientation::undirected && input.graph.edges->undirected)
      fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
    const vertex_names names = input.graph.names;
    output_.check_names(input.graph.named_by_edges(flags_) && !names.are_ids());
    co_await find_vertices(input);
    const graph_size size = input.graph.size;
    const std::uint64_t id_bytes = id_bytes_for(flags_, size.vertices);
    check_memory(flags_, options_, demand_of(flags_, size, static_cast<std::uint64_t>(pes())));
    if (id_bytes == sizeof(std::uint32_t)) {
      co_await search<std::uint32_t>(input);
    } else {
      co_await search<std::uint64_t>(input);
    }
    co_await input.graph.destroy();
    co_return std::move(findings_);
  }

 private:
  /// Those that the user named.
  task<> find_vertices(bfs_input& input) {
    for (const auto& root : flags_.chosen_roots) {
      const auto vertex = co_await vertex_of("--root", root, input);
      input.roots.push_back(vertex);
    }
    if (!flags_.path_to.empty())
      input.goal = co_await vertex_of("--path-to", flags_.path_to, input);
  }

  /// Names come first, where there are any: one may look like a number. Where the file of edges has
  /// names, nobody knows the numbers.
  task<std::uint64_t> vertex_of(std::string_view flag, std::string text, const bfs_input& input) {
    const auto named = co_await input.graph.names.find(text);
    if (named) co_return *named;
    if (!input.graph.named_by_edges(flags_) && is_number(text))
      co_return id_in_range(flag, text, input.graph.size.vertices);
    if (!input.graph.names.any()) {
      fail(errc::input, "{}: \"{}\" is no vertex id, and the vertices have no names", flag, text);
    }
    if (input.graph.names.are_ids())
      fail(errc::input, "{}: no edge of {} has the vertex \"{}\"", flag, flags_.files.edges, text);
    const std::string nearest = co_await input.graph.names.nearest(text);
    fail(errc::input, "{}: no vertex is called \"{}\"{}", flag, text,
         nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest));
  }

  template <class Id>
  task<> search(const bfs_input& input) {
    bfs_searches<Id> searches(input, findings_);
    co_await searches.run();
  }

  const bfs_flags& flags_;
  const settings& options_;
  trial_series& trials_;
  vertex_output& output_;
  bfs_findings findings_;
};

}  // namespace

bfs_findings search_graph(const bfs_flags& flags, const settings& options, trial_series& trials,
                          vertex_output& output) {
  bfs_job job(flags, options, trials, output);
  return result_of_job(options, [&] { return job.main(); });
}

}  // namespace atl::app
