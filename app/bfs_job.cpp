#include "app/bfs_job.hpp"

#include "app/bfs_memory.hpp"
#include "app/bfs_searches.hpp"
#include "app/job_result.hpp"
#include "atoll/base/error.hpp"

#include <algorithm>
#include <sys/resource.h>

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
  bfs_job(const bfs_flags& flags, const settings& options, trial_series& trials)
      : flags_(flags), options_(options), files_(flags.files), trials_(trials) {
    files_.show_progress = [this](double done) {
      trials_.show(fmt::format("reading {}: {:.0f} %", files_.edges, 100 * done));
    };
  }

  task<bfs_findings> main() {
    bfs_input input{flags_, trials_, {}, {}, {}, {}, {}};
    input.edges = co_await per_pe<stored_edges>::make();
    input.names = co_await vertex_names::make();
    input.size = co_await size_after_loading(input);
    co_await find_vertices(input);
    const std::uint64_t id_bytes = id_bytes_for(flags_, input.size.vertices);
    check_memory(flags_, options_,
                 {input.size, static_cast<std::uint64_t>(pes()), flags_.arcs_are, id_bytes,
                  flags_.common.verify});
    findings_.size = input.size;
    findings_.named = input.names.any();
    if (id_bytes == sizeof(std::uint32_t)) {
      co_await search<std::uint32_t>(input);
    } else {
      co_await search<std::uint64_t>(input);
    }
    co_await input.names.destroy();
    co_await input.edges.destroy();
    co_return std::move(findings_);
  }

 private:
  task<graph_size> size_after_loading(const bfs_input& input) {
    if (flags_.generated()) co_return graph_size{flags_.random.vertices(), flags_.random.edges()};
    const auto start = this_pe().transport->now();
    const graph_size size = co_await load_edges(files_, input.edges, input.names);
    findings_.read_seconds = static_cast<double>(this_pe().transport->now() - start) * 1e-9;
    co_return size;
  }

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
    const auto named = co_await input.names.find(text);
    if (named) co_return *named;
    const bool has_ids = !input.names.any() || !flags_.files.names.empty();
    if (has_ids && is_number(text)) co_return id_in_range(flag, text, input.size.vertices);
    if (!input.names.any()) {
      fail(errc::input, "{}: \"{}\" is no vertex id, and the vertices have no names", flag, text);
    }
    const std::string nearest = co_await input.names.nearest(text);
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
  graph_files files_;
  trial_series& trials_;
  bfs_findings findings_;
};

}  // namespace

task<shown_vertex> shown(vertex_names names, std::uint64_t vertex) {
  shown_vertex result;
  result.id = vertex;
  result.text = co_await names.name_of(vertex);
  if (result.text.empty()) result.text = std::to_string(vertex);
  co_return result;
}

std::uint64_t peak_of_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
}

bfs_findings search_graph(const bfs_flags& flags, const settings& options, trial_series& trials) {
  bfs_job job(flags, options, trials);
  return result_of_job(options, [&] { return job.main(); });
}

}  // namespace atl::app
