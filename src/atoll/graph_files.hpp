#pragma once
// This header is about files of graphs. This header recognises formats by the name and the content
// of a file, and estimates the memory of a graph before reading. This header also reads edges on
// one PE or on all PEs, computes statistics, and writes files. (`read_graph` of graph.hpp reads a
// file and builds a graph.)

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

// The formats of files of edges. The name of a file tells its format. Each format is a row of
// formats.def.

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

/// Whether edges have weights in a format: never, in some files, or always.
enum class weight_place : std::uint8_t { none, optional, always };

/// The properties of a format, for code that reads, writes or describes its files.
struct format_traits {
  std::string_view ending = "";  ///< ending of file names, without the dot
  /// An ending that another format has too; the content of the file then decides.
  std::string_view shared_ending = "";
  std::string_view prefix = "";  ///< prefix of file names that have no ending
  /// Endings of companion files that must exist.
  std::array<std::string_view, 2> beside = {"", ""};
  /// Name of the format in messages, such as "a BVGraph". If it is empty, messages say "a NAME
  /// file".
  std::string_view called = "";
  std::string_view holds = "";  ///< description of the format in the help
  weight_place weights = weight_place::none;
  bool is_list = false;      ///< each line is one edge, and there is no header
  bool any_columns = false;  ///< lines may have more columns than two endpoints and a weight
  bool titles = false;       ///< the first line may hold the titles of the columns
  /// The file `beside[0]` lists the ids of all vertices, which may have gaps.
  bool lists_vertices = false;
  /// Endpoints of edges may be names, because only tabs separate columns.
  bool names = false;
  bool any_content = false;  ///< the content may have any format, so the content decides
  /// The file has no lines, and cannot be compressed with gzip or zstd.
  bool binary = false;
  bool compressed = false;          ///< the format compresses edges by its own method
  bool says_direction = false;      ///< a file says whether its edges are directed
  bool without_directions = false;  ///< edges are never directed
  /// Writing needs 24 bytes of memory for each endpoint of an edge, for sorting.
  bool sorts_ends = false;
  /// Files can be written with weights that are real numbers.
  bool real_weights = false;
  double least_bytes_of_vertex = 0;  ///< smallest possible size of a file, in bytes per vertex
};

/// Returns the properties of a format.
const format_traits& traits_of(edge_format format);

/// Returns all formats, in the order of the table.
const std::vector<edge_format>& all_edge_formats();

/// Returns the format that the name of a file tells. For example, `graph.tsv.gz` is a tsv with
/// gzip, and `out.graph` is a file of KONECT. `graph.graph` is a BVGraph. `graph` alone is a
/// BVGraph if `graph.properties` exists. Throws `error` (input) if the name tells no format. The
/// message ends with `otherwise`, which should name another way to state the format. The content
/// may have another format than the name tells: `recognised_format` checks the content.
file_format file_format_of(std::string_view path, std::string_view otherwise = "");

/// Returns the format that has this name, such as "mtx". Returns no value if there is no such
/// format.
std::optional<edge_format> edge_format_named(std::string_view name);

/// Throws `error` (input) if `format` is binary and compressed, because binary files cannot be
/// compressed.
void refuse_packed_binary(std::string_view path, file_format format);

/// Returns the paths of all files of a graph: first the file with the edges, then its companion
/// files. If the format has companion files, `path` may lack the ending.
std::vector<std::string> files_of(const std::string& path, edge_format format);

/// Returns the compression that the ending of the path tells: gzip for `.gz`, zstd for `.zst`, and
/// none for other endings.
compression compression_of(std::string_view path);

/// Returns the name of a format in the table: "el", "mtx", "bvgraph", ...
std::string_view name_of(edge_format format);

/// Returns "none", "gzip" or "zstd".
std::string_view name_of(compression packing);

/// Returns the name of the format with an article, for messages: "a .sg file", "a BVGraph".
std::string called(edge_format format);

/// Returns the pattern of file names of the format: ".mtx", "out.NAME".
std::string pattern_of(edge_format format);

/// Returns whether files of this format may have weights.
inline bool has_weights(edge_format format) {
  return traits_of(format).weights != weight_place::none;
}

/// Returns whether every edge has a weight in files of this format.
inline bool needs_weights(edge_format format) {
  return traits_of(format).weights == weight_place::always;
}

/// Returns whether lines may have more columns than two endpoints and a weight.
inline bool has_any_columns(edge_format format) { return traits_of(format).any_columns; }

/// Returns whether each line of a file is one edge, without a header.
inline bool is_plain_list(edge_format format) { return traits_of(format).is_list; }

/// Returns whether files of the format are binary.
inline bool is_binary(edge_format format) { return traits_of(format).binary; }

/// Joins words as "a, b or c", where `last` is the word "or".
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

/// Returns the patterns of the names of files that can be read: ".el, ... or out.NAME, alone or
/// with .gz or .zst after it, .sg, .wsg or .graph".
std::string patterns_of_formats();

/// Returns an explanation of the endings of file names, as lines of the help. Each line begins with
/// two blanks.
std::string formats_explained();

// This section declares the files to read, and estimates that are made before reading.

/// The facts that the user states about a file.
struct input_form {
  /// The format of the file. By default, the name and the content of the file tell the format.
  std::optional<file_format> format = {};
  /// The number of lines to skip at the beginning of a text. If a number is given (even 0), the
  /// next line is read as an edge, never as a line of sizes.
  std::optional<std::uint64_t> skip_lines = {};
  /// The number of the column with the weights, at least 3, in text formats with any number of
  /// columns (`has_any_columns`). If the number is 0, no weights are read. By default, the third
  /// column has the weights if all lines have a number there.
  std::optional<std::uint64_t> weight_column = {};
  /// True if the caller does not need weights, so that they take no memory.
  bool without_weights = false;
  /// Whether weights may be real numbers, in every text format except METIS. If a weight is not an
  /// integer of 64 bits, all weights are kept as doubles. If the flag is false, only integer
  /// weights are kept.
  bool real_weights = false;
};

struct graph_files {
  std::string edges = {};
  /// Path of a file whose line i, counted from 0, is the name of vertex i. If the path is empty,
  /// vertices have no names.
  std::string names = {};

  /// PE 0 calls this function during reading. The argument is the share of PE 0's part that was
  /// read, from 0 to 1. The function may be empty.
  std::function<void(double)> show_progress = {};

  /// True if the vertices are to be numbered without gaps, in ascending order of their ids. The ids
  /// then become the names of the vertices. The caller must not also give a file of names. If the
  /// endpoints of edges are names, the option has no effect, because names are always numbered
  /// without gaps.
  bool compact = false;

  /// The facts that the user states about the file of edges.
  input_form form = {};

  /// The path of a file to read instead of `edges`, for a name such as /dev/stdin that cannot be
  /// read repeatedly. If the path is empty, `edges` is read.
  std::string content = {};

  /// The path of a file to read instead of `names`, for a name such as /dev/stdin that cannot be
  /// read repeatedly. If the path is empty, `names` is read.
  std::string names_content = {};
};

/// Returns the format in which to read the file of edges. If `files.form` states a format, that
/// format is returned. If `files.form` states no format, the name of the file tells the format. If
/// the name ends in .txt or leaves the format open, the first bytes decide. A file with the ending
/// .graph is a BVGraph if its properties file exists, and otherwise METIS. The call reads some
/// kilobytes of the file. Any process may call this function. Throws `error` (input) if neither
/// name nor content tells the format, if name and content contradict each other, or if the file
/// cannot be opened.
file_format recognised_format(const graph_files& files);

/// Returns the format `edges`, with the compression of the file. If the name tells no compression,
/// the first bytes of the file are checked. Throws `error` (input) if the file cannot be opened.
file_format format_as_packed(const graph_files& files, edge_format edges);

/// Returns the size in bytes of the file with the edges. Throws `error` (input) if the file cannot
/// be opened.
std::uint64_t bytes_of_file(const graph_files& files, edge_format format);

struct graph_size {
  /// Number of vertices: the largest id + 1, the number of different names or ids, or the number of
  /// nodes of a BVGraph.
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;  ///< number of edges in the input, with duplicates and self loops
};

/// An estimate of the size of a graph, made from a few blocks of its file.
struct guessed_graph {
  /// The size is exact for small files. If endpoints of edges are names, the number of vertices is
  /// 0.
  graph_size size;
  unsigned weight_bits = 0;  ///< bits per weight; if 0, there are no weights
};

/// Estimates the size of the graph in a file without reading all of it. The number of edges is
/// estimated from the first block. The number of vertices is a lower bound. In a plain text, blocks
/// at other places are read too. Any process may call this function, which does not communicate.
/// Throws `error` (input) if reading the file would throw the error.
guessed_graph guess_graph(const graph_files& files);

// This section estimates the memory that a graph needs, before the graph is loaded.

/// Tells how long the edges of a file stay in memory when a graph is built.
enum class file_edges : std::uint8_t {
  none,     ///< edges come from no file
  passing,  ///< edges are freed while the graph is built
  kept      ///< edges stay in memory, for verifying or for their weights
};

/// The numbers from which the memory for loading a graph is estimated.
struct load_demand {
  graph_size size;
  bool undirected = true;
  std::uint64_t id_bytes = 4;
  std::uint64_t pes = 1;
  file_edges edges = file_edges::none;
  unsigned weight_bits = 0;  ///< bits per weight in memory, if the file has weights
  bool arc_weights = false;  ///< whether the arcs of the graph get weights
};

/// Returns the bytes that all PEs together need to store the edges of a file. If `size.vertices` is
/// 0, endpoints are names, which are numbered in the order in which they occur. Each number is then
/// less than the number of endpoints.
double bytes_of_stored(graph_size size, unsigned weight_bits);

/// The estimated memory of all PEs together, in bytes.
struct bytes_of_graph {
  explicit bytes_of_graph(const load_demand& demand);

  double stored;    ///< memory for the edges of a file
  double built;     ///< memory for the graph
  double building;  ///< peak memory between reading and the end of building, with the edges
  double window;    ///< number of vertices (not bytes) whose degrees are collected in one step
};

// The edges of a file, all on one PE. Ids are from 0 to 2^48 - 1. A file may have no edges: its
// graph is empty.

struct edges_of_file {
  /// The edges, as pairs of vertex numbers. If the file uses names, an endpoint is an index into
  /// `names`.
  std::vector<edge> edges;
  /// The weight of each edge. The vector is empty if the file has no weights.
  std::vector<std::int64_t> weights;
  /// Whether weights are real numbers (`input_form::real_weights`). If so, the elements of
  /// `weights` are the bits of doubles.
  bool weights_are_real = false;
  /// The different names, in the order in which they occur first.
  std::vector<std::string> names;
  /// Whether endpoints of edges are names. If any endpoint in a .tsv file is not an integer, all
  /// endpoints are names.
  bool uses_names = false;
  /// Whether edges have no direction, so that each edge stands for both directions.
  bool undirected = false;
  /// The number of vertices that the file states. The member is empty if the file states no number.
  std::optional<std::uint64_t> declared_vertices;
  /// The number of lines in the file, with comments and blank lines.
  std::uint64_t lines = 0;
  /// The number of the column with the weights, in text formats with any number of columns. The
  /// number is 0 if the reader did not look for weights.
  std::uint64_t weight_column = 0;
  /// The largest number of unused columns in a line of the file.
  std::uint64_t columns_left_out = 0;
  /// A description of the first weight that is not an integer, if weights were dropped because of
  /// it. If no weights were dropped, the text is empty.
  std::string why_no_weights;
  /// Sentences that tell the user how the file was understood.
  std::vector<std::string> remarks;
};

/// Reads all edges of a file. Ignores `files.names` and `files.compact`. Any process may call this
/// function, which does not communicate. Throws `error` (input) for the first mistake in the file.
/// The message is "FILE:LINE:COLUMN: sentence", or "FILE: node N at bit B: sentence" for a BVGraph.
edges_of_file read_all_edges(const graph_files& files);

/// Reads a file with the names of vertices: line i, counted from 0, is the name of vertex i. A
/// blank line means that the vertex has no name. The file may be compressed. If `content` is not
/// empty, this function reads the file at `content` instead of the file at `path`, as for
/// /dev/stdin. Throws `error` (input) if the content cannot be read. The message is
/// "FILE:LINE:COLUMN: sentence".
std::vector<std::string> read_names(const std::string& path, const std::string& content = "");

// This section declares the edges of a file that are distributed over all PEs.

/// Edges that are distributed over all PEs: each PE has a part of them. The object is a small
/// trivially copyable handle, like the handle of a global array.
class global_edges {
 public:
  /// Makes an object without edges. One task calls this function and waits.
  static task<global_edges> make();

  /// Reads the files; every PE reads a part of about equal length. A plain file is cut into ranges
  /// of bytes. Each PE decompresses the whole of a compressed file, and parses its own part. A
  /// BVGraph is cut into parts of about equally many bits. If the endpoints of edges are names, the
  /// names are numbered in the order of their hashes. The numbers therefore do not depend on the
  /// number of PEs.
  ///
  /// One task calls this function and waits. The object must have no edges yet. Only the PE of the
  /// task needs `files`. Throws `error` (input) for the first mistake in the file. Throws `error`
  /// (out_of_memory) if memory is exhausted.
  task<graph_size> read(const graph_files& files) const;

  /// Returns the number of edges that this PE holds. Does not communicate.
  std::uint64_t local_size() const { return edges_.local().size(); }

  /// Calls `visit(edge)` for each edge that this PE holds. Does not communicate.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    const stored_edges& mine = edges_.local();
    for (std::uint64_t i = 0; i < mine.size(); ++i) visit(mine(i));
  }

  /// Returns the time in seconds that this PE needed to find its first edge, in a METIS file or in
  /// a BVGraph without offsets. For files of other formats, returns 0.
  double scan_seconds() const { return edges_.local().scan_seconds; }

  /// Frees the edges and the names of their vertices, so that other files may be read. One task
  /// calls this function and waits.
  task<> clear() const;

  /// Frees all memory of the object. One task calls this function, once, and waits.
  task<> destroy() const;

 private:
  per_pe<stored_edges> edges_;
  vertex_names names_;
};

// This section computes statistics of a list of edges as a graph: sizes, degrees, and duplicates.
// The functions run on one thread and do not communicate.

/// The endpoints that are counted for the degree of a vertex.
enum class counted_ends : std::uint8_t {
  from,  ///< out-degree
  to,    ///< in-degree
  both   ///< degree; a self loop counts twice
};

/// The degrees of all vertices that have an edge.
struct degree_distribution {
  std::uint64_t vertices = 0;
  std::uint64_t least = 0;
  std::uint64_t median = 0;
  std::uint64_t percentile_99 = 0;
  std::uint64_t most = 0;
  double mean = 0;
  /// The vertex with the largest degree; if several vertices have the largest degree, the smallest
  /// of these vertices.
  std::uint64_t most_vertex = 0;
  /// Element k is the number of vertices with a degree from 2^k to 2^(k+1) - 1. The last element is
  /// not 0.
  std::vector<std::uint64_t> by_power;
};

/// Returns the distribution of degrees. Working memory is at most 16 bytes per edge and 8 bytes per
/// vertex.
degree_distribution degrees_of(std::span<const edge> edges, counted_ends ends);

/// Returns the largest id + 1, or 0 if there are no edges.
std::uint64_t vertices_of(std::span<const edge> edges);

/// The number of connected components, and the size of the largest component. Directions of edges
/// are ignored.
struct component_sizes {
  std::uint64_t count = 0;    ///< number of components that have an edge
  std::uint64_t largest = 0;  ///< number of vertices of the largest component
};

/// Returns the sizes of the connected components. Working memory is at most 16 bytes per edge and
/// 16 bytes per vertex.
component_sizes components_of(std::span<const edge> edges);

/// Returns the number of edges whose endpoints are the same vertex.
std::uint64_t self_loops_of(std::span<const edge> edges);

/// Sorts the edges, and returns the number of edges that repeat another edge. If `directed` is
/// false, (u, v) and (v, u) are the same edge, and each edge is stored with the smaller endpoint
/// first.
std::uint64_t sort_and_count_duplicates(std::span<edge> edges, bool directed);

// This section writes a graph in memory to a file of any format.

/// The parameters by which a BVGraph compresses its lists of successors.
struct bvgraph_lists {
  static constexpr std::uint64_t largest_window = 65'535;
  static constexpr std::uint64_t largest_zeta = 15;
  static constexpr std::uint64_t largest_number =
      /// Largest value of Java's type int.
      (std::uint64_t{1} << 31) - 1;

  /// A list may refer only to one of the previous `window` lists.
  std::uint64_t window = 7;
  std::uint64_t max_references = 3;  ///< longest chain of references from list to list
  /// Shortest run of consecutive successors that is stored as an interval. If 0, there are no
  /// intervals.
  std::uint64_t min_interval = 4;
  /// Parameter k of the zeta code for successors outside of intervals.
  std::uint64_t zeta = 3;
};

struct graph_to_write {
  std::string path;
  file_format format;
  std::uint64_t vertices = 0;
  std::vector<edge> edges;
  /// One weight per edge. If the vector is empty, all weights are 1.
  std::vector<std::int64_t> weights;
  /// Whether weights are real numbers. If so, the elements of `weights` are the bits of doubles.
  bool weights_are_real = false;
  bool undirected = false;  ///< each edge stands for both directions
  bvgraph_lists lists;      ///< parameters for writing a BVGraph

  /// Called repeatedly with the share that was written, from 0 to 1. The function may be empty.
  std::function<void(double)> show_progress;
};

struct written_graph {
  std::uint64_t bytes = 0;  ///< size of the file with the edges, in bytes
  std::uint64_t edges = 0;
  /// Number of edges that were left out because the format can hold an edge only once.
  std::uint64_t duplicates = 0;
  /// Sentences for the user about contents that other programs may reject.
  std::vector<std::string> notes;
};

/// Writes a graph to a file. The file gets its name only when it is complete, so a failure leaves
/// no file. Formats with lists of neighbours sort the lists, which needs 24 bytes of memory per
/// arc. Throws `error` (input) if the file cannot be created, or if the format cannot express one
/// of the numbers, such as a weight that is not an integer. Throws `error` (environment) if writing
/// fails, for example because the disk is full.
written_graph write_graph(graph_to_write&& graph);

// This section writes edges one by one.

/// Returns whether a file of the format can be written edge by edge.
bool is_written_by_edge(edge_format format);

/// The header of a file, for formats that have one.
struct graph_outline {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool undirected = false;  ///< each edge stands for both directions
  bool weighted = false;    ///< whether weights are written, in formats where weights are optional
  /// Whether weights are real numbers, so that the writer gets the bits of doubles.
  bool real_weights = false;
};

/// Writes edges one by one to a file. The file gets its name only by `commit`: without `commit`, no
/// file is left.
class edge_writer {
 public:
  /// Creates a file. The ending of `path` tells the format and the compression. Throws `error`
  /// (input) if the file cannot be created. Throws `error` (input) also for formats whose header
  /// states the number of edges.
  explicit edge_writer(const std::string& path);

  /// Creates a file in any format that can be written edge by edge. The caller must then write
  /// exactly `outline.edges` edges. Throws `error` (input) if the file cannot be created.
  edge_writer(const std::string& path, file_format format, const graph_outline& outline);
  ~edge_writer();
  edge_writer(const edge_writer&) = delete;
  edge_writer& operator=(const edge_writer&) = delete;

  /// Adds an edge. If the format has weights, `weight` is written too. If the outline declares real
  /// weights, `weight` has the bits of a double. Throws `error` (environment)
  /// if writing fails, for example because the disk is full.
  void write(const edge& e, std::int64_t weight = 1);

  /// Completes the file and gives it its name, replacing an existing file. The caller must not
  /// write edges afterwards. Throws `error` (environment) if writing fails.
  void commit();

  const file_format& format() const { return format_; }

  /// Returns the number of bytes that were written to the file so far. After `commit`, the number
  /// is the size of the file.
  std::uint64_t bytes() const;

 private:
  struct open_file;

  file_format format_;
  std::unique_ptr<open_file> file_;
};

/// Writes a BVGraph list by list, so that the graph need not fit in memory. The files get their
/// names only by `commit`: without `commit`, no file is left.
class bvgraph_writer {
 public:
  /// Creates the three files of a BVGraph in one folder. `path` is `NAME.graph` or `NAME`; the
  /// other files are `NAME.properties` and `NAME.offsets`. Throws `error` (input) if the files
  /// cannot be created, or if a number in `lists` is out of range.
  explicit bvgraph_writer(const std::string& path, const bvgraph_lists& lists = {});
  ~bvgraph_writer();
  bvgraph_writer(const bvgraph_writer&) = delete;
  bvgraph_writer& operator=(const bvgraph_writer&) = delete;

  /// Adds the next node, with its list of successors. Successors may be any nodes, also nodes that
  /// were not added yet. The successors must be in ascending order without repeats. Throws `error`
  /// (input) if the successors are not in ascending order. Throws `error` (environment) if writing
  /// fails, for example because the disk is full.
  void write(std::span<const std::uint64_t> successors);

  /// Completes the files and gives them their names, replacing existing files. The caller must not
  /// write nodes afterwards. Throws `error` (input) if a successor is not one of the nodes. Throws
  /// `error` (environment) if writing fails.
  void commit();

  /// Returns the number of nodes written so far.
  std::uint64_t nodes() const;
  std::uint64_t arcs() const;

 private:
  struct open_files;

  std::unique_ptr<open_files> files_;
};

/// Writes the edges `make(0)` to `make(count - 1)` to a file. Returns the size of the file in
/// bytes. Throws the errors of `edge_writer`.
template <class Make>
std::uint64_t write_edges(const std::string& path, std::uint64_t count, Make make) {
  edge_writer writer(path);
  for (std::uint64_t i = 0; i < count; ++i) writer.write(make(i));
  writer.commit();
  return writer.bytes();
}

// The layouts of files with one row per vertex (`vertex_array::write`). The name of a file tells
// its layout.

enum class vertex_style : std::uint8_t {
  txt,  ///< columns are separated by tabs, and their titles are in a comment
  tsv,  ///< columns are separated by tabs, and their titles are in the first line
  csv,  ///< columns are separated by commas, and their titles are in the first line
  npy   ///< an array of NumPy, indexed by vertex
};

struct vertex_format {
  vertex_style style = vertex_style::txt;
  compression packing = compression::none;
};

/// Returns the format that the name of a file tells: `labels.csv.zst` is a csv with zstd. Throws
/// `error` (input) if the name tells no format.
vertex_format vertex_format_of(std::string_view path);

/// A function that receives the content of a file with one row per vertex, piece by piece. `done`
/// is the share of the vertices before the end of the piece, from 0 to 1.
using file_taker = std::function<void(std::string_view bytes, double done)>;

}  // namespace atl
