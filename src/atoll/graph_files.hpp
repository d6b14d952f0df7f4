#pragma once
// Files of graphs: their formats by name and content, estimates before reading, edges on one PE or
// on all PEs, statistics, and writing. (`read_graph` of graph.hpp reads a file as a graph.)

#include "atoll/collectives.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/vertex_names.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

// The formats of edge files, as their names tell them. The formats are the rows of formats.def.

enum class edge_format : std::uint8_t {
#define ATOLL_GRAPH_FORMAT(name, ...) name,
#include "atoll/graph/io/formats.def"
#undef ATOLL_GRAPH_FORMAT
};

enum class compression : std::uint8_t { none, gzip, zstd };

struct file_format {
  edge_format edges = edge_format::el;
  compression packing = compression::none;
};

/// Which edges of a format have weights: none, all in some files, or all.
enum class weight_place : std::uint8_t { none, optional, always };

/// The properties of a format, for code that reads, writes or describes its files.
struct format_traits {
  std::string_view ending = "";         ///< ending of file names, without the dot
  std::string_view shared_ending = "";  ///< that another format has too: the content decides
  std::string_view prefix = "";         ///< prefix of file names that have no ending
  std::array<std::string_view, 2> beside = {"", ""};  ///< endings of required companion files
  std::string_view called = "";                       ///< "a BVGraph"; "": "a NAME file"
  std::string_view holds = "";                        ///< a line of help
  weight_place weights = weight_place::none;
  bool is_list = false;         ///< each line is an edge, without a header
  bool any_columns = false;     ///< lines may have columns beyond the two ends and a weight
  bool titles = false;          ///< the first line of a list may hold titles
  bool lists_vertices = false;  ///< `beside[0]` has the ids of all vertices; they may have gaps
  bool names = false;           ///< ends in a list may be names, since only tabs separate columns
  bool any_content = false;     ///< the content may be of any format, and decides
  bool binary = false;          ///< it has no lines, and cannot be gzip or zstd
  bool compressed = false;      ///< by a method of its own
  bool says_direction = false;  ///< a file says whether its edges are directed
  bool without_directions = false;   ///< edges are never directed
  bool sorts_ends = false;           ///< writing needs 24 bytes of memory for each end of an edge
  double least_bytes_of_vertex = 0;  ///< least size of a file, per vertex
};

/// Returns the properties of a format.
const format_traits& traits_of(edge_format format);

/// Returns all formats, in the order of the table.
const std::vector<edge_format>& all_edge_formats();

/// Returns the format that a file name tells: `graph.tsv.gz` is a tsv with gzip, and `out.graph` is
/// of KONECT. `graph.graph` is a BVGraph, and so is `graph` if there is a `graph.properties`.
/// Throws `error` (input) if the name tells no format; the message ends with `otherwise`, another
/// way to state it. A file may hold another format than its name tells: `recognised_format` checks
/// the content.
file_format file_format_of(std::string_view path, std::string_view otherwise = "");

/// Returns the format with a name such as "mtx"; nothing for other texts.
std::optional<edge_format> edge_format_named(std::string_view name);

/// Throws `error` (input) if a binary format is to be compressed.
void refuse_packed_binary(std::string_view path, file_format format);

/// Returns the files of a graph: first the file with the edges, then its companion files. `path`
/// may lack the ending if the format has companion files.
std::vector<std::string> files_of(const std::string& path, edge_format format);

/// Returns the compression that the ending tells: `.gz`, `.zst`, or none.
compression compression_of(std::string_view path);

/// Returns the name of a format in the table: "el", "mtx", "bvgraph", ...
std::string_view name_of(edge_format format);

/// Returns "none", "gzip" or "zstd".
std::string_view name_of(compression packing);

/// Returns the format with an article, for messages: "a .sg file", "a BVGraph".
std::string called(edge_format format);

/// Returns the pattern of file names of the format: ".mtx", "out.NAME".
std::string pattern_of(edge_format format);

/// Returns whether edges may have weights in this format.
inline bool has_weights(edge_format format) {
  return traits_of(format).weights != weight_place::none;
}

/// Returns whether every edge has a weight in this format.
inline bool needs_weights(edge_format format) {
  return traits_of(format).weights == weight_place::always;
}

/// Returns whether lines may have more columns than the two ends of an edge.
inline bool has_any_columns(edge_format format) { return traits_of(format).any_columns; }

/// Returns whether each line is an edge, without a header.
inline bool is_plain_list(edge_format format) { return traits_of(format).is_list; }

/// Returns whether files of the format are binary.
inline bool is_binary(edge_format format) { return traits_of(format).binary; }

/// Joins words as "a, b or c", where `last` is "or".
std::string listed(const std::vector<std::string>& words, std::string_view last);

/// Returns the patterns of file names (".mtx", "out.NAME", ...) of the formats for which
/// `holds(traits)` is true.
template <class Holds>
std::vector<std::string> patterns_where(Holds holds) {
  std::vector<std::string> patterns;
  for (const auto format : all_edge_formats()) {
    if (holds(traits_of(format))) patterns.push_back(pattern_of(format));
  }
  return patterns;
}

/// Returns the names of all formats: "el, tsv, ... or bvgraph".
std::string names_of_formats();

/// Returns the patterns of readable file names: ".el, ... or out.NAME, alone or with .gz or .zst
/// after it, .sg, .wsg or .graph".
std::string patterns_of_formats();

/// Returns the meaning of the endings, as lines of help that begin with two blanks.
std::string formats_explained();

// The files to read, and estimates before reading them.

/// What the user states about a file.
struct input_form {
  /// The format of the file; by default its name and its content tell it.
  std::optional<file_format> format = {};
  /// Number of lines to skip at the beginning of a text. If it is given, even as 0, no line is
  /// taken for one of sizes.
  std::optional<std::uint64_t> skip_lines = {};
  /// Column of weights, at least 3, in a text with any number of columns (`has_any_columns`); 0: no
  /// weights are read. By default the third column, if all lines have a number there.
  std::optional<std::uint64_t> weight_column = {};
  /// Leaves weights out of memory, because nothing needs them.
  bool without_weights = false;
  /// Accepts weights that are real numbers, in every text but METIS. If one of them is no integer
  /// of 64 bits, all are kept as doubles. Otherwise only integers are kept.
  bool real_weights = false;
};

struct graph_files {
  std::string edges = {};
  std::string names = {};  ///< its line i, counted from 0, is the name of vertex i; "": no such
                           ///< file

  /// Called on PE 0 during reading, with the part of its share that was read, 0 to 1. May be empty.
  std::function<void(double)> show_progress = {};

  /// Numbers vertices without gaps, in the order of their ids, which become their names. Not
  /// allowed with a file of names. If the ends of edges are names, there are no gaps in any case.
  bool compact = false;

  /// What the user states about the file of edges.
  input_form form = {};

  /// File with the content of `edges`, for a name such as /dev/stdin; "": `edges` itself.
  std::string content = {};

  /// File with the content of `names`, for a name such as /dev/stdin; "": `names` itself.
  std::string names_content = {};
};

/// Returns the format in which to read the file of edges: that of `files.form`, if it has one,
/// otherwise that of the name. The first bytes decide for a .txt, and for a name that leaves the
/// format open. A `.graph` is a BVGraph if its properties file exists, otherwise METIS. Reads some
/// kilobytes. Any process may call it. Throws `error` (input) if neither tells the format, if name
/// and content contradict each other, or if the file cannot be opened.
file_format recognised_format(const graph_files& files);

/// Returns the format `edges` with the compression that the first bytes of the file tell, if the
/// name tells none. Throws `error` (input) if the file cannot be opened.
file_format format_as_packed(const graph_files& files, edge_format edges);

/// Returns the size in bytes of the file with the edges. Throws `error` (input) if it cannot be
/// opened.
std::uint64_t bytes_of_file(const graph_files& files, edge_format format);

struct graph_size {
  std::uint64_t vertices = 0;  ///< the largest id + 1, the number of names or of occurring ids, or
                               ///< the nodes of a BVGraph
  std::uint64_t edges = 0;     ///< input edges, duplicates and self loops included
};

/// An estimate of a graph from a few blocks of its file.
struct guessed_graph {
  graph_size size;           ///< exact for small files; no vertices if ends of edges are names
  unsigned weight_bits = 0;  ///< bits per weight; 0: no weights
};

/// Estimates the size of the graph in a file. The number of edges is estimated from the first
/// block. The number of vertices is a lower bound; in a plain text other places of the file are
/// sampled too. Any process may call it; the call does not communicate. Throws `error` (input) as
/// reading does.
guessed_graph guess_graph(const graph_files& files);

// Estimates of the memory that a graph needs, before it is loaded.

/// The fate of the edges of a file when a graph is built of them.
enum class file_edges : std::uint8_t {
  none,     ///< there is no file
  passing,  ///< they are freed during building
  kept      ///< they stay in memory: for verifying, or for their weights
};

/// The inputs of an estimate of the memory for loading a graph.
struct load_demand {
  graph_size size;
  bool undirected = true;
  std::uint64_t id_bytes = 4;
  std::uint64_t pes = 1;
  file_edges edges = file_edges::none;
  unsigned weight_bits = 0;  ///< bits per weight in a file
};

/// Returns the bytes that all PEs together need for the edges of a file. A size without vertices
/// means ends that are numbered as they occur: their numbers are below the number of ends.
double bytes_of_stored(graph_size size, unsigned weight_bits);

/// The estimated bytes that all PEs together need.
struct bytes_of_graph {
  explicit bytes_of_graph(const load_demand& demand);

  double stored;    ///< the edges of a file
  double built;     ///< the graph
  double building;  ///< the peak from reading to the end of building, edges included
  double window;    ///< vertices (not bytes) whose degrees are gathered per step
};

// The edges of a file on one PE. Ids are 0 to 2^48 - 1. A file without edges is an empty graph.

struct edges_of_file {
  /// The edges, as vertex numbers, or as positions in `names` if the file uses names.
  std::vector<edge> edges;
  /// One weight per edge if the file has weights, else empty.
  std::vector<std::int64_t> weights;
  /// The different names, in the order in which they first occur.
  std::vector<std::string> names;
  /// Whether ends are names: all are, if any end in a .tsv file is no integer.
  bool uses_names = false;
  /// Edges have no direction: each stands for both.
  bool undirected = false;
  /// The number of vertices that the file states, if it does.
  std::optional<std::uint64_t> declared_vertices;
  /// Number of lines, comments and blank lines included.
  std::uint64_t lines = 0;
  /// The column of weights, in a text with any number of columns; 0: none was searched.
  std::uint64_t weight_column = 0;
  /// Number of unused columns, in a line with the most of them.
  std::uint64_t columns_left_out = 0;
  /// The first weight that is no integer, if that is why there are no weights; else "".
  std::string why_no_weights;
  /// Sentences for the user about how the file was understood.
  std::vector<std::string> remarks;
};

/// Reads the whole file of edges; ignores `files.names` and `files.compact`. Any process may call
/// it; the call does not communicate. Throws `error` (input) for the first error of the file:
/// "FILE:LINE:COLUMN: sentence", or "FILE: node N at bit B: sentence".
edges_of_file read_all_edges(const graph_files& files);

/// Reads the names of vertices from a file of their own: line i, counted from 0, is the name of
/// vertex i. The file may be compressed; a blank line means a vertex without a name. If `content`
/// is given, the names are read from that file, as for /dev/stdin. Throws `error` (input)
/// "FILE:LINE:COLUMN: sentence" for content that it cannot read.
std::vector<std::string> read_names(const std::string& path, const std::string& content = "");

// The edges of a file, distributed over all PEs.

/// Edges of which each PE holds a part. A small trivially copyable handle, like that of a global
/// array.
class global_edges {
 public:
  /// Makes an object without edges. One task calls it and waits.
  static task<global_edges> make();

  /// Reads the files; every PE reads a part of about equal length. Plain files are cut into ranges
  /// of bytes. Of a compressed file, every PE decompresses all and parses its share. A BVGraph is
  /// cut into parts of about as many bits. If edges are between names, the names are numbered in
  /// the order of their hashes, the same for all numbers of PEs.
  ///
  /// One task calls it, while there are no edges yet, and waits. `files` is needed only on the PE
  /// of the task. Throws `error`: input, for the first error of the file; out_of_memory.
  task<graph_size> read(const graph_files& files) const;

  /// Returns the number of edges that this PE holds. Does not communicate.
  std::uint64_t local_size() const { return edges_.local().size(); }

  /// Calls `visit(edge)` for each edge that this PE holds. Does not communicate.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    const stored_edges& mine = edges_.local();
    for (std::uint64_t i = 0; i < mine.size(); ++i) visit(mine(i));
  }

  /// Returns the seconds that this PE took to find its first edge, in a BVGraph without offsets.
  double scan_seconds() const { return edges_.local().scan_seconds; }

  /// Frees the edges and the names of their vertices, so that other files may be read. One task
  /// calls it and waits.
  task<> clear() const;

  /// Frees all memory of the object. One task calls it, once, and waits.
  task<> destroy() const;

 private:
  per_pe<stored_edges> edges_;
  vertex_names names_;
};

// Statistics of a list of edges as a graph: sizes, degrees, duplicates. These functions are serial
// and do not communicate.

/// Which ends of an edge count for the degree of a vertex.
enum class counted_ends : std::uint8_t {
  from,  ///< out-degree
  to,    ///< in-degree
  both   ///< degree; an edge from a vertex to itself counts twice
};

/// The degrees of all vertices whose degree is above 0.
struct degree_distribution {
  std::uint64_t vertices = 0;
  std::uint64_t least = 0;
  std::uint64_t median = 0;
  std::uint64_t percentile_99 = 0;
  std::uint64_t most = 0;
  double mean = 0;
  /// The smallest vertex with the largest degree.
  std::uint64_t most_vertex = 0;
  /// Number of vertices with a degree of 2^k to 2^(k+1) - 1, for each k up to the last one that
  /// occurs.
  std::vector<std::uint64_t> by_power;
};

/// Returns the distribution of degrees. Needs at most 16 bytes per edge and 8 per vertex of working
/// memory.
degree_distribution degrees_of(std::span<const edge> edges, counted_ends ends);

/// Returns the largest id + 1; 0 without edges.
std::uint64_t vertices_of(std::span<const edge> edges);

/// The sizes of the sets of vertices that edges connect, regardless of direction.
struct component_sizes {
  std::uint64_t count = 0;    ///< components that have an edge
  std::uint64_t largest = 0;  ///< vertices of the largest component
};

/// Returns the sizes of the components. Needs at most 16 bytes per edge and 16 per vertex of
/// working memory.
component_sizes components_of(std::span<const edge> edges);

/// Returns the number of edges whose ends are the same vertex.
std::uint64_t self_loops_of(std::span<const edge> edges);

/// Sorts the edges and returns the number of edges that repeat another one. Edges that are not
/// directed are compared regardless of the order of their ends, and are left with the smaller end
/// first.
std::uint64_t sort_and_count_duplicates(std::span<edge> edges, bool directed);

// Writing a graph in memory to a file of any format.

/// Parameters of the lists in a BVGraph.
struct bvgraph_lists {
  static constexpr std::uint64_t largest_window = 65'535;
  static constexpr std::uint64_t largest_zeta = 15;
  static constexpr std::uint64_t largest_number = (std::uint64_t{1} << 31) - 1;  ///< Java's int

  std::uint64_t window = 7;          ///< a list may refer to one at most this many nodes before
  std::uint64_t max_references = 3;  ///< most references in a chain from list to list
  std::uint64_t min_interval = 4;    ///< length of the shortest interval; 0: no intervals
  std::uint64_t zeta = 3;            ///< k of the zeta code of single successors
};

struct graph_to_write {
  std::string path;
  file_format format;
  std::uint64_t vertices = 0;
  std::vector<edge> edges;
  std::vector<std::int64_t> weights;  ///< one per edge, or none: then all are 1
  bool undirected = false;            ///< an edge stands for both directions
  bvgraph_lists lists;                ///< parameters for a BVGraph

  /// Called now and then with the part that was written, 0 to 1. May be empty.
  std::function<void(double)> show_progress;
};

struct written_graph {
  std::uint64_t bytes = 0;  ///< size of the file with the edges
  std::uint64_t edges = 0;
  std::uint64_t duplicates = 0;    ///< left out, as the format has no edge twice
  std::vector<std::string> notes;  ///< sentences about what other readers may reject in the file
};

/// Writes a graph to a file, which gets its name only when it is complete; after a failure no file
/// is left. Formats with rows of neighbours sort them, which needs 24 bytes per arc. Throws
/// `error`: input if the file cannot be created, or the format cannot express a number; environment
/// if the system accepts no more data.
written_graph write_graph(graph_to_write&& graph);

// Writing edges one by one.

/// Returns whether the format can be written edge by edge.
bool is_written_by_edge(edge_format format);

/// The contents of the header of a file, if its format has one.
struct graph_outline {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool undirected = false;  ///< an edge stands for both directions
  bool weighted = false;    ///< write weights, if the format has them as an option
};

/// Writes edges one by one to a file. The file gets its name only by `commit`; without it no file
/// is left.
class edge_writer {
 public:
  /// Creates a file whose ending tells format and compression. Throws `error` (input) if the file
  /// cannot be created, and for formats whose header states the number of edges.
  explicit edge_writer(const std::string& path);

  /// Creates a file in any format that is written edge by edge. Exactly `outline.edges` edges must
  /// follow. Throws `error` (input) if the file cannot be created.
  edge_writer(const std::string& path, file_format format, const graph_outline& outline);
  ~edge_writer();
  edge_writer(const edge_writer&) = delete;
  edge_writer& operator=(const edge_writer&) = delete;

  /// Adds an edge; its weight is written if the format has weights. Throws `error` (environment) if
  /// the system accepts no more data.
  void write(const edge& e, std::int64_t weight = 1);

  /// Completes the file and gives it its name, replacing an existing file. Nothing may be written
  /// after it. Throws `error` (environment).
  void commit();

  const file_format& format() const { return format_; }

  /// Returns the number of bytes of the file so far; of the whole file after `commit`.
  std::uint64_t bytes() const;

 private:
  struct open_file;

  file_format format_;
  std::unique_ptr<open_file> file_;
};

/// Writes a BVGraph list by list, so that a graph need not be in memory. The files get their names
/// only by `commit`; without it no file is left.
class bvgraph_writer {
 public:
  /// Creates the files. `path` is `NAME.graph` or `NAME`; `NAME.properties` and `NAME.offsets` are
  /// created in the same folder. Throws `error` (input) if the files cannot be created, and for
  /// numbers out of range.
  explicit bvgraph_writer(const std::string& path, const bvgraph_lists& lists = {});
  ~bvgraph_writer();
  bvgraph_writer(const bvgraph_writer&) = delete;
  bvgraph_writer& operator=(const bvgraph_writer&) = delete;

  /// Adds the next node with its successors, which must be increasing numbers of any nodes. Throws
  /// `error`: input if they do not increase; environment if the system accepts no more data.
  void write(std::span<const std::uint64_t> successors);

  /// Completes the files and gives them their names, replacing existing files. Nothing may be
  /// written after it. Throws `error`: input if a successor is no node; environment.
  void commit();

  /// Returns the number of nodes written so far.
  std::uint64_t nodes() const;
  std::uint64_t arcs() const;

 private:
  struct open_files;

  std::unique_ptr<open_files> files_;
};

/// Writes the edges `make(0)` to `make(count - 1)` and returns the number of bytes of the file.
/// Throws as `edge_writer`.
template <class Make>
std::uint64_t write_edges(const std::string& path, std::uint64_t count, Make make) {
  edge_writer writer(path);
  for (std::uint64_t i = 0; i < count; ++i) writer.write(make(i));
  writer.commit();
  return writer.bytes();
}

// Files with one row per vertex (`vertex_array::write`). Their names tell the layout of the rows.

enum class vertex_style : std::uint8_t {
  txt,  ///< columns separated by tabs, titles in a comment
  tsv,  ///< columns separated by tabs, titles in the first line
  csv,  ///< columns separated by commas, titles in the first line
  npy   ///< an array of NumPy, indexed by vertex
};

struct vertex_format {
  vertex_style style = vertex_style::txt;
  compression packing = compression::none;
};

/// Returns the format that a file name tells: `labels.csv.zst` is a csv with zstd. Throws `error`
/// (input) if the name tells none.
vertex_format vertex_format_of(std::string_view path);

/// A function that receives such a file piece by piece. `done` is the share of the vertices before
/// the end of the piece.
using file_taker = std::function<void(std::string_view bytes, double done)>;

}  // namespace atl
