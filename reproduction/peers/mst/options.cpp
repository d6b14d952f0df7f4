#include "reproduction/peers/mst/options.hpp"

#include <array>

namespace bench::mst {

using atl::graph_kind;
namespace papers = atl::reproduction;

void add_flags(flags& flags, options& o) {
  constexpr std::uint64_t most = 0xffff'ffff;
  flags.add("kind", o.kind, "kronecker, uniform or web");
  flags.add("scale", o.scale, 0, 31, "2^N vertices");
  flags.add("vertices", o.vertices, 0, most, "so many instead, where it is not 0");
  flags.add("edge-factor", o.edge_factor, 1, 1024, "edges by vertices");
  flags.add("edges-per-vertex", o.edges_per_vertex, 0.0, 1024.0, "the same, where it is not 0");
  flags.add("seed", o.seed, 0, ~std::uint64_t{0}, "of the graph and the weights");
  flags.add("trials", o.trials, 1, 1000, "timed ones, of which the median counts");
  flags.add("theta", o.how.theta, 0.0, 1.0, "fewer joins end the rounds, of all tree edges");
  flags.add("mst-threshold", o.how.mst_threshold, 0.0, 1.0, "no more left: fewer PEs go on");
  flags.add("mst-test", o.mst_test, "remaining|new: edges that the threshold is compared with");
  flags.add("ring-fraction", o.how.ring_fraction, 0.0, 1.0, "of a PE's components move at most");
  flags.add("local", o.local, "sorted|rounds: how components of a PE join");
  flags.add("filter", o.filter, "on|off: first drop what closes a cycle on one PE");
  flags.add("filter-finish", o.how.filter_finish, 0.0, 1e6,
            "the first ends it where no more is left than so many times what each had");
  flags.add("post", o.post, "single|leader: who takes over when little is left");
  flags.add("group", o.how.group, 2, 1 << 20, "PEs of a leader");
  flags.add("chunks", o.chunks, 1, 1024, "pieces of a list, each used while the next comes");
  flags.add("processes", o.processes, 1, 1024,
            "processes, where no launcher has started this program");
  flags.add("over-hosts", o.over_hosts, "let Open MPI choose transports beside shared memory");
}

bool is_first(const std::string& flag, const std::string& value, const std::string& first,
              const std::string& second) {
  if (value == first) return true;
  if (value == second) return false;
  throw bad_input("--" + flag + ": '" + value + "' is neither " + first + " nor " + second);
}

atl::generator_parameters graph_of(const options& o) {
  constexpr std::array names = {"kronecker", "uniform", "web"};
  constexpr std::array kinds = {graph_kind::kronecker, graph_kind::uniform, graph_kind::web};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (o.kind != names[i]) continue;
    const atl::generator_parameters graph{.scale = o.scale,
                                          .edge_factor = o.edge_factor,
                                          .seed = o.seed,
                                          .exact_vertices = o.vertices,
                                          .edges_per_vertex = o.edges_per_vertex,
                                          .kind = kinds[i]};
    graph.check();
    if (graph.edges() >> 32 != 0) throw bad_input("--edges-per-vertex: more than 2^32 edges");
    return graph;
  }
  throw bad_input("--kind: '" + o.kind + "' is none of kronecker, uniform, web");
}

papers::mst_ways ways_of(const options& o) {
  papers::mst_ways how = o.how;
  how.test = is_first("mst-test", o.mst_test, "remaining", "new") ? papers::progress_test::remaining
                                                                  : papers::progress_test::found;
  how.local = is_first("local", o.local, "sorted", "rounds") ? papers::local_method::sorted
                                                             : papers::local_method::rounds;
  how.filter = is_first("filter", o.filter, "on", "off");
  how.post = is_first("post", o.post, "single", "leader") ? papers::post_processing::single
                                                          : papers::post_processing::leader;
  return how;
}

}  // namespace bench::mst
