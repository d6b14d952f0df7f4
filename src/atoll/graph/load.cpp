#include "atoll/graph/load.hpp"

#include "atoll/collectives.hpp"
#include "atoll/graph/compact_ids.hpp"
#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/listed_vertices.hpp"
#include "atoll/graph/io/names.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/reading_report.hpp"
#include "atoll/memory/shared_text.hpp"

namespace atl {
namespace {

/// Sends the position of an error to the other PEs, so that they stop reading after it.
void end_reading_at(std::uint64_t offset, per_pe<stored_edges> everywhere) {
  for (int pe = 0; pe < pes(); ++pe) {
    async_call(pe, [everywhere, offset] {
      everywhere->read_until = std::min(everywhere->read_until, offset);
    });
  }
}

/// The data that this PE has read: its edges, and facts about its part of the file.
struct part_read {
  packed_edges edges;
  edge_list list;
};

// Throws `error` (out_of_memory) if `bytes`, the memory of this PE's part, exceeds the limit. The
// check is needed because a few bits of a BVGraph may expand to many edges. Parts differ in size,
// so the memory of each part alone is compared with the limit of the whole job.
void check_memory_limit(const graph_files& files, std::uint64_t bytes) {
  const auto limit = this_pe().options->memory_limit;
  if (limit == 0 || bytes <= limit) return;
  fail(errc::out_of_memory, "{}: its edges need more than the setting memory-limit, {} bytes",
       files.edges, limit);
}

/// Stores the edges that were read since the last call.
void keep_edges(edge_reader& reader, packed_edges& edges) {
  reader.hand_over([&edges](const edge_list& list) {
    if (list.handed_over == 0) edges = packed_edges();
    if (list.has_lost_weights()) edges.forget_weights();
    edges.add(list.edges, list.weights,
              list.weights_are_real ? weight_kind::real : weight_kind::integer);
  });
}

task<> read_part(const graph_files& files, bool all_names, per_pe<stored_edges> everywhere,
                 part_read& read) {
  file_part which;
  which.path = files.edges;
  which.options = options_of(files);
  which.part = static_cast<std::uint64_t>(my_pe());
  which.parts = static_cast<std::uint64_t>(pes());
  which.options.all_names = all_names;
  which.options.by_blocks = true;
  edge_reader reader(which);
  try {
    while (reader.offset() <= everywhere->read_until && reader.read_some()) {
      keep_edges(reader, read.edges);
      check_memory_limit(files, read.edges.bytes());
      if (my_pe() == 0 && files.show_progress) files.show_progress(reader.progress());
      co_await yield();
    }
    keep_edges(reader, read.edges);
    read.edges.settle();
  } catch (const error&) {
    end_reading_at(reader.offset(), everywhere);
    throw;
  } catch (const std::bad_alloc&) {
    fail(errc::out_of_memory, "{}: its edges do not fit into memory", files.edges);
  }
  read.list = std::move(reader).take();
}

/// Compares the size that the file declares with the edges that were read. Every PE reads the same
/// declaration, and finds the same mistake. Only PE 0 performs checks that take long.
task<> all_check_size(const edge_list& list) {
  if (!list.declared) co_return;
  const auto found = co_await all_reduce(list.size(), [](auto a, auto b) { return a + b; });
  const auto find = [&]() -> task<> {
    if (found.one_way != 0 && my_pe() == 0) throw graph::find_one_way(list.origin);
    co_return;
  };
  if (found.one_way != 0) co_await graph::all_or_none(list.origin.path, find);
  check_size(*list.declared, found);
}

task<bool> all_any(bool here) {
  co_return co_await all_reduce(here ? 1 : 0, [](int a, int b) { return a | b; }) != 0;
}

/// If any part has lost its weights, the weights of all edges are removed. If no weights were lost
/// and any part stores its weights as doubles, all parts store doubles.
task<> all_agree_on_weights(const graph_files& files, part_read& read) {
  edge_list& list = read.list;
  const bool lost = co_await all_any(list.has_lost_weights());
  // If another part has lost its weights, a real weight of this part is not the reason for the
  // loss.
  if (lost && list.weights_are_real) list.weights_fault.reset();
  list.weights_are_real = !lost && co_await all_any(list.weights_are_real);
  list.weights_fault = co_await graph::all_first_error(files.edges, list.weights_fault);
  if (lost) read.edges.forget_weights();
  list.negative_weight = co_await graph::all_first_error(files.edges, list.negative_weight);
}

/// Adds remarks on how the file was understood, from the facts of all parts.
task<> all_add_remarks(const graph_files& files, part_read& read) {
  edge_list& list = read.list;
  const graph::read_counts mine{list.count(), list.uneven_lines, list.words};
  const auto counts = co_await all_reduce(mine, [](auto a, auto b) { return a + b; });
  if (counts.uneven_lines > 0)
    list.first_uneven = co_await graph::all_first_error(files.edges, list.first_uneven);
  if (counts.words > 0)
    list.first_word = co_await graph::all_first_error(files.edges, list.first_word);
  graph::add_remarks(list.remarks, counts, list.first_uneven, list.first_word);
  const auto least =
      co_await all_reduce(read.edges.least_vertex(), [](auto a, auto b) { return std::min(a, b); });
  const bool counts_ids = list.ids_as_written && !files.compact && files.names.empty();
  if (counts_ids && least == 1) list.remarks.push_back(graph::remark_on_first_id(files.edges));
}

/// Returns whether the format has a companion file that lists all vertices.
bool lists_vertices(const graph_files& files) {
  return traits_of(recognised_format(files.edges, options_of(files)).edges).lists_vertices;
}

/// Reads the edges. If any part has names, all endpoints are names.
task<> all_read_edges(const graph_files& files, per_pe<stored_edges> everywhere, part_read& read) {
  const edge_list& list = read.list;
  const auto read_mine = [&]() -> task<> { co_await read_part(files, false, everywhere, read); };
  co_await graph::all_or_none(files.edges, read_mine);
  const bool named = co_await all_any(list.uses_names);
  const auto agree = [&]() -> task<> {
    if (named && !list.uses_names) co_await read_part(files, true, everywhere, read);
    if (!named && list.deferred) throw *list.deferred;
  };
  co_await graph::all_or_none(files.edges, agree);
  co_await all_check_size(list);
  co_await all_agree_on_weights(files, read);
  co_await all_add_remarks(files, read);
  if (!files.names.empty() && lists_vertices(files))
    fail(errc::input, "--names: {} has ids of its own, and {} would name its vertices by number",
         files.edges, files.names);
  if (named && !files.names.empty()) {
    fail(errc::input, "--names: {} has names of its own, and {} would name its vertices again",
         files.edges, files.names);
  }
}

/// Replaces the numbers that this PE gave to names by the numbers that the names have in the whole
/// job.
task<> all_translate(part_read& read, graph::name_part& names) {
  const auto numbers = co_await graph::all_number_names(std::move(read.list.names), names);
  const auto numbered = [&](edge e) { return edge{numbers[e.from], numbers[e.to]}; };
  co_await graph::renumber(read.edges, numbered);
  co_await graph::all_index_names(names);
}

/// Divides the vertices below `vertices` equally among the PEs, and stores the names of each range
/// on its PE. The last PE also stores the names of all further vertices.
task<> all_read_names(const graph_files& files, std::uint64_t vertices, graph::name_part& part) {
  const auto all = static_cast<std::uint64_t>(pes());
  const auto rank = static_cast<std::uint64_t>(my_pe());
  const std::uint64_t share = ceil_divide(vertices, all);
  const std::uint64_t first = std::min(vertices, share * rank);
  const std::uint64_t last =
      rank + 1 == all ? largest_vertex + 1 : std::min(vertices, first + share);
  std::uint64_t lines = 0;
  const name_visitor keep = [&](std::uint64_t vertex, std::string_view name) {
    lines = vertex + 1;
    if (vertex >= first && vertex < last) part.names.add(name);
  };
  const auto read = [&]() -> task<> {
    name_reader reader(files.names, files.names_content);
    while (reader.read_some(keep)) co_await yield();
  };
  co_await graph::all_or_none(files.names, read);
  for (std::uint64_t pe = 0; pe < all; ++pe) {
    part.boundaries.push_back(std::min(vertices, share * pe));
  }
  part.boundaries.push_back(std::max(vertices, lines));
  co_await graph::all_index_names(part);
}

/// Numbers the listed vertices without gaps, in ascending order of their ids.
task<> all_number_listed(const graph_files& files, part_read& read, graph::name_part& part) {
  std::vector<std::uint64_t> ids;
  const auto read_ids = [&]() -> task<> {
    ids = graph::read_listed_vertices(files.edges, static_cast<std::uint64_t>(my_pe()),
                                      static_cast<std::uint64_t>(pes()));
    co_return;
  };
  const std::string listing = graph::file_of_vertices(files.edges);
  co_await graph::all_or_none(listing, read_ids);
  const auto unlisted = co_await graph::all_compact_ids(read.edges, part, std::move(ids));
  if (unlisted)
    fail(errc::input, "{}: vertex {} is an end of an edge, and {} does not list it", files.edges,
         *unlisted, listing);
}

task<std::uint64_t> all_count_vertices(const part_read& read) {
  if (read.list.declared) co_return read.list.declared->vertices;
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  co_return co_await all_reduce(read.edges.vertices(), larger);
}

/// Returns the largest number of unused columns on any PE.
task<std::uint64_t> all_count_left_out(const edge_list& list) {
  const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  co_return co_await all_reduce(columns_left_out(list), larger);
}

/// Returns, on every PE, the files that PE `from` knows. PEs other than `from` may be processes
/// that do not know the files.
task<graph_files> all_share(const graph_files* files_there, int from) {
  graph_files files;
  if (my_pe() == from) files = *files_there;
  files.edges = co_await all_share_text(files.edges, from);
  files.names = co_await all_share_text(files.names, from);
  files.content = co_await all_share_text(files.content, from);
  files.names_content = co_await all_share_text(files.names_content, from);
  files.compact = co_await all_broadcast(files.compact, from);
  files.form = co_await all_broadcast(files.form, from);
  co_return files;
}

/// Returns the number of bits of the difference between the largest and the smallest weight.
unsigned bits_of(const std::vector<std::int64_t>& weights) {
  if (weights.empty()) return 0;
  const auto [least, most] = std::ranges::minmax(weights);
  return static_cast<unsigned>(
      std::bit_width(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least)));
}

/// Returns the largest id + 1 that is found at a few places of a plain text. The function reads no
/// sample at the beginning of the text, because ids may be sorted.
std::uint64_t sampled_vertices(const std::string& path, const read_options& options) {
  constexpr std::uint64_t places = 4;
  const file_format format = recognised_format(path, options);
  if (format.packing != compression::none || is_binary(format.edges)) return 0;
  file_part which;
  which.path = path;
  which.parts = places;
  which.options = options;
  which.options.longest_line = std::size_t{1} << 16;
  std::uint64_t vertices = 0;
  for (which.part = 1; which.part < places; ++which.part) {
    try {
      edge_reader reader(which);
      reader.read_some();
      const edge_list list = std::move(reader).take();
      if (!list.uses_names) vertices = std::max(vertices, vertices_of(list.edges));
    } catch (const error&) {
      // Errors in a sample are ignored. The reader of the whole file reports the first error of the
      // file.
    }
  }
  return vertices;
}

/// The size of the graph in the files, or the error that all PEs throw.
struct loading {
  graph_size size;
  std::optional<error> failure;
};

}  // namespace

task<graph_size> load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                            vertex_names names) {
  const auto load = [files_here = &files, everywhere, names, here = my_pe()]() -> task<loading> {
    const graph_files shared = co_await all_share(files_here, here);
    loading result;
    try {
      result.size = co_await all_load_edges(shared, everywhere, names);
    } catch (const error& e) {
      result.failure = e;
    }
    co_return result;
  };
  const loading loaded = co_await from_all_pes(load);
  if (loaded.failure) throw *loaded.failure;
  co_return loaded.size;
}

task<graph_size> all_load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                                vertex_names names) {
  part_read read;
  co_await all_read_edges(files, everywhere, read);
  edge_list& list = read.list;
  graph::name_part& part = names.local();
  graph_size size;
  if (list.uses_names) {
    co_await all_translate(read, part);
  } else if (lists_vertices(files)) {
    co_await all_number_listed(files, read, part);
  } else if (files.compact) {
    co_await graph::all_compact_ids(read.edges, part);
  } else {
    size.vertices = co_await all_count_vertices(read);
    if (!files.names.empty()) co_await all_read_names(files, size.vertices, part);
  }
  if (names.any()) size.vertices = part.boundaries.back();
  const std::uint64_t edges = read.edges.size();
  everywhere->edges = std::move(read.edges);
  everywhere->weights_fault = std::move(list.weights_fault);
  everywhere->leaves_out_weights = list.leaves_out_weights;
  everywhere->real_weights = list.weights_are_real;
  everywhere->negative_weight = std::move(list.negative_weight);
  everywhere->undirected = list.undirected;
  everywhere->weight_column = list.weight_column;
  everywhere->columns_left_out = co_await all_count_left_out(list);
  everywhere->remarks = std::move(list.remarks);
  everywhere->scan_seconds = list.scan_seconds;
  size.edges = co_await all_reduce(edges, [](auto a, auto b) { return a + b; });
  co_return size;
}

read_options options_of(const graph_files& files) {
  read_options options;
  static_cast<input_form&>(options) = files.form;
  options.content = files.content;
  return options;
}

guessed_graph guess_graph(const std::string& path, const read_options& options) {
  file_part whole;
  whole.path = path;
  whole.options = options;
  edge_reader reader(whole);
  reader.read_some();
  const double done = reader.progress();
  const auto edges = static_cast<double>(reader.edges());
  const edge_list list = std::move(reader).take();
  guessed_graph guess;
  graph_size& size = guess.size;
  size.edges = static_cast<std::uint64_t>(done > 0 ? edges / std::min(done, 1.0) : edges);
  guess.weight_bits = bits_of(list.weights);
  if (list.uses_names) return guess;
  size.vertices = list.declared ? list.declared->vertices : vertices_of(list.edges);
  if (!list.declared && done < 1)
    size.vertices = std::max(size.vertices, sampled_vertices(path, options));
  return guess;
}

}  // namespace atl
