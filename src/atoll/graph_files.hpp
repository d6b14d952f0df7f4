#pragma once
// Files of graphs: their formats by name and content, what is known of a file before it is read,
// its edges on one PE or on all, what they look like as a graph, and writing them. (`read_graph` of
// graph.hpp reads a file as a graph.)

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

// What a file of edges holds, as its name says it. The formats are the rows of formats.def.

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

/// Whether edges have weights in a format: none has, all have in some files, or all have.
enum class weight_place : std::uint8_t { none, optional, always };

/// What a format is, for who reads, writes or tells of its files.
struct format_traits {
  std::string_view ending = "";         ///< of names, without its dot
  std::string_view shared_ending = "";  ///< of another format, too: the content decides
  std::string_view prefix = "";         ///< names without an ending begin so
  std::array<std::string_view, 2> beside = {"", ""};  ///< endings of files without which it is none
  std::string_view called = "";                       ///< "a BVGraph"; "": "a NAME file"
  std::string_view holds = "";                        ///< a line of help
  weight_place weights = weight_place::none;
  bool is_list = false;             ///< each line is an edge; no first lines say what they are
  bool any_columns = false;         ///< lines may have more than the ends of an edge and a weight
  bool titles = false;              ///< of a list: its first line may be titles
  bool names = false;               ///< of a list: ends may be names, as only tabs separate columns
  bool any_content = false;         ///< the name goes with any content, which decides
  bool binary = false;              ///< it has no lines, and is not read through a compression
  bool compressed = false;          ///< in its own way
  bool says_direction = false;      ///< a file says whether its edges have one
  bool without_directions = false;  ///< edges have none
  bool sorts_ends = false;          ///< whoever writes needs 24 bytes for each end of an edge
  double least_bytes_of_vertex = 0;  ///< of a file
};

const format_traits& traits_of(edge_format format);

/// All of them, in the order of the table.
const std::vector<edge_format>& all_edge_formats();

/// `graph.tsv.gz` is a tsv with gzip; `graph.graph` is a BVGraph, and so is `graph` where there is
/// a `graph.properties`; `out.graph` is of KONECT. Throws `error` (input) for a name that does not
/// say; the message ends with `otherwise`, another way to say it. A file may hold another format
/// than its name says: `recognised_format` looks at its content.
file_format file_format_of(std::string_view path, std::string_view otherwise = "");

/// Of a name such as "mtx"; nothing for another text.
std::optional<edge_format> edge_format_named(std::string_view name);

/// Throws `error` (input) where the format is binary, and is to be packed.
void refuse_packed_binary(std::string_view path, file_format format);

/// The files of a graph: that with the edges, whose name may lack the ending where others stand
/// beside it, and those.
std::vector<std::string> files_of(const std::string& path, edge_format format);

/// By the ending: `.gz`, `.zst`, or none.
compression compression_of(std::string_view path);

/// "el", "mtx", "bvgraph", ...: as the table has it.
std::string_view name_of(edge_format format);

/// "none", "gzip", "zstd".
std::string_view name_of(compression packing);

/// "a .sg file", "a BVGraph".
std::string called(edge_format format);

/// How files are named: ".mtx", "out.NAME".
std::string pattern_of(edge_format format);

/// Whether edges may have weights there.
inline bool has_weights(edge_format format) {
  return traits_of(format).weights != weight_place::none;
}

/// Whether each edge has one there.
inline bool needs_weights(edge_format format) {
  return traits_of(format).weights == weight_place::always;
}

/// Whether lines may have more columns than the two ends of an edge.
inline bool has_any_columns(edge_format format) { return traits_of(format).any_columns; }

/// Whether each line is an edge, and no first lines say what they are.
inline bool is_plain_list(edge_format format) { return traits_of(format).is_list; }

/// Whether it is no text.
inline bool is_binary(edge_format format) { return traits_of(format).binary; }

/// "a, b or c", where `last` is "or".
std::string listed(const std::vector<std::string>& words, std::string_view last);

/// ".mtx", "out.NAME", ... of the formats of which `holds(traits)` is true.
template <class Holds>
std::vector<std::string> patterns_where(Holds holds) {
  std::vector<std::string> patterns;
  for (const auto format : all_edge_formats()) {
    if (holds(traits_of(format))) patterns.push_back(pattern_of(format));
  }
  return patterns;
}

/// "el, tsv, ... or bvgraph".
std::string names_of_formats();

/// How files are named that are read: ".el, ... or out.NAME, alone or with .gz or .zst after it,
/// .sg, .wsg or .graph".
std::string patterns_of_formats();

/// What the endings mean: lines of help, which begin with two blanks.
std::string formats_explained();

// Which files to read, and what is known of them before.

/// What a person says of a file.
struct input_form {
  /// What the file holds; by default its name and its content say it.
  std::optional<file_format> format = {};
  /// So many lines at the beginning of a text are passed over. Where this is given, also as 0, no
  /// line is taken for one of sizes.
  std::optional<std::uint64_t> skip_lines = {};
  /// The column of weights, from 3 on, of a text with any number of columns (`has_any_columns`); 0:
  /// no weights are read. By default the third one, where all lines have a number there.
  std::optional<std::uint64_t> weight_column = {};
  /// Weights are of no use, and are not kept.
  bool without_weights = false;
};

struct graph_files {
  std::string edges = {};
  std::string names = {};  ///< line i, from 0 on, names vertex i; "": no such file

  /// Called on PE 0 as reading goes on, with what was read of its part, 0 to 1. May be empty.
  std::function<void(double)> show_progress = {};

  /// Vertices are numbered without gaps, in the order of their ids, which are their names then. Not
  /// with a file of names. Where the ends of edges are names, there are no gaps in any case.
  bool compact = false;

  /// What a person says of the file of edges.
  input_form form = {};

  /// Where its content stands, for a name such as /dev/stdin; "": there.
  std::string content = {};

  /// The same of the file of names.
  std::string names_content = {};
};

/// The format to read the file of edges in: that of `files.form`, if it has one. Otherwise the name
/// tells it. The first bytes decide for a .txt, and for a name that leaves the format open. A
/// `.graph` is a BVGraph beside its properties, else METIS. Reads some kilobytes. Any process.
/// Throws `error` (input) where neither tells, where name and content contradict each other, and
/// for a file that cannot be opened.
file_format recognised_format(const graph_files& files);

/// The format with the compression that the first bytes tell, where the name says nothing of it.
/// Throws `error` (input) for a file that cannot be opened.
file_format format_as_packed(const graph_files& files, edge_format edges);

/// The size of the file with the edges. Throws `error` (input) for one that cannot be opened.
std::uint64_t bytes_of_file(const graph_files& files, edge_format format);

struct graph_size {
  std::uint64_t vertices = 0;  ///< the largest id + 1, or as many as have names, or as ids occur,
                               ///< or the nodes of a BVGraph
  std::uint64_t edges = 0;     ///< of the input: duplicates and self loops included
};

/// What a few blocks of a file say of its graph.
struct guessed_graph {
  graph_size size;           ///< exact for small files; no vertices where ends of edges are names
  unsigned weight_bits = 0;  ///< of the weights of edges, where they have any
};

/// Edges are guessed from the first block, vertices, of which there may be more, in a plain text
/// also from other places. Any process; does not communicate. Throws `error` (input) as reading
/// does.
guessed_graph guess_graph(const graph_files& files);

// The memory that a graph takes, as an estimate for who has to tell before.

/// What becomes of the edges of a file while a graph is built of them.
enum class file_edges : std::uint8_t {
  none,     ///< there is no file
  passing,  ///< they are given back
  kept      ///< they are needed afterwards: for verifying, or for their weights
};

/// What decides about the memory of loading a graph.
struct load_demand {
  graph_size size;
  bool undirected = true;
  std::uint64_t id_bytes = 4;
  std::uint64_t pes = 1;
  file_edges edges = file_edges::none;
  unsigned weight_bits = 0;  ///< of each edge of a file
};

/// The bytes that all PEs together hold of the edges of a file. Ends of edges that are numbered as
/// they come, of a size without vertices, have no larger number than there are ends.
double bytes_of_stored(graph_size size, unsigned weight_bits);

/// Bytes that all PEs together hold.
struct bytes_of_graph {
  explicit bytes_of_graph(const load_demand& demand);

  double stored;    ///< the edges of a file
  double built;     ///< the graph
  double building;  ///< the most at a time from reading to the end of building, edges included
};

// The edges of a file on one PE. Ids are 0 to 2^48 - 1; a file without edges is an empty graph.

struct edges_of_file {
  /// Vertex numbers; positions in `names` where the file uses names.
  std::vector<edge> edges;
  /// One an edge if the file has weights, else empty.
  std::vector<std::int64_t> weights;
  /// The different names in the order in which they first appear.
  std::vector<std::string> names;
  /// If any end in a .tsv file is not an integer, then all ends are names.
  bool uses_names = false;
  /// Edges have no direction: each stands for both.
  bool undirected = false;
  /// How many vertices the file says there are, if it does.
  std::optional<std::uint64_t> declared_vertices;
  /// Comments and blank lines included.
  std::uint64_t lines = 0;
  /// The column of weights, in a text with any number of columns; 0: none was looked for.
  std::uint64_t weight_column = 0;
  /// Columns that were not used, of a line with the most of them.
  std::uint64_t columns_left_out = 0;
  /// The first weight that is no integer, where that is why there are none; else "".
  std::string why_no_weights;
  /// Sentences for the reader about how the file was understood.
  std::vector<std::string> remarks;
};

/// Reads the whole file of edges; `files.names` and `files.compact` do not matter. Any process;
/// does not communicate. Throws `error` (input) "FILE:LINE:COLUMN: sentence", or "FILE: node N at
/// bit B: sentence", for the first error of the file.
edges_of_file read_all_edges(const graph_files& files);

/// The names of vertices from a file of their own, at the index of their vertex: line i, from 0 on,
/// names vertex i. The file may be compressed; a blank line is a vertex without a name. Its content
/// stands in the file `content` where that is given, as for /dev/stdin. Throws
/// `error` (input) "FILE:LINE:COLUMN: sentence" for what it cannot read.
std::vector<std::string> read_names(const std::string& path, const std::string& content = "");

// The edges of a file on all PEs.

/// A part of the edges on each PE. A small trivially copyable handle, like that of a global array.
class global_edges {
 public:
  /// No edges yet. One task calls it. Blocks the task.
  static task<global_edges> make();

  /// Reads the files, every PE a part of them, of about equal length. Plain files are cut into
  /// ranges of bytes; of compressed ones every PE decompresses all and parses its share; a BVGraph
  /// is cut where about as many bits have been. Where edges are between names, those are numbered
  /// in the order of their hashes, the same for all numbers of PEs. `files` may stand on the PE of
  /// the task alone. One task calls it, where there are no edges yet. Blocks the task. Throws
  /// `error`: input, the first of the file; out_of_memory.
  task<graph_size> read(const graph_files& files) const;

  /// How many this PE has.
  std::uint64_t local_size() const { return edges_.local().size(); }

  /// Calls `visit(edge)` for each edge that this PE has. Does not communicate.
  template <class Visit>
  void for_each_local(Visit&& visit) const {
    const stored_edges& mine = edges_.local();
    for (std::uint64_t i = 0; i < mine.size(); ++i) visit(mine(i));
  }

  /// What it took this PE to find its first edge, in a BVGraph without offsets.
  double scan_seconds() const { return edges_.local().scan_seconds; }

  /// Gives the edges and the names of their vertices back; others may be read then. One task calls
  /// it. Blocks the task.
  task<> clear() const;

  /// Gives all memory back. One task, once.
  task<> destroy() const;

 private:
  per_pe<stored_edges> edges_;
  vertex_names names_;
};

// What a list of edges looks like as a graph: sizes, degrees, what is there twice. Serial.

/// Which ends of an edge count for the degree of a vertex.
enum class counted_ends : std::uint8_t {
  from,  ///< out-degree
  to,    ///< in-degree
  both   ///< degree; an edge from a vertex to itself counts twice
};

/// The degrees of all vertices that have one above 0.
struct degree_distribution {
  std::uint64_t vertices = 0;
  std::uint64_t least = 0;
  std::uint64_t median = 0;
  std::uint64_t percentile_99 = 0;
  std::uint64_t most = 0;
  double mean = 0;
  /// The first vertex with the largest degree.
  std::uint64_t most_vertex = 0;
  /// How many have a degree of 2^k up to 2^(k+1) - 1, for each k up to the last that has any.
  std::vector<std::uint64_t> by_power;
};

/// Takes at most 16 bytes an edge and 8 a vertex of working memory.
degree_distribution degrees_of(std::span<const edge> edges, counted_ends ends);

/// The largest id + 1; 0 without edges.
std::uint64_t vertices_of(std::span<const edge> edges);

/// Vertices that edges connect, their direction aside.
struct component_sizes {
  std::uint64_t count = 0;    ///< those that have an edge
  std::uint64_t largest = 0;  ///< vertices of the largest one
};

/// Takes at most 16 bytes an edge and 16 a vertex of working memory.
component_sizes components_of(std::span<const edge> edges);

/// Edges whose ends are the same vertex.
std::uint64_t self_loops_of(std::span<const edge> edges);

/// Edges that repeat another one. If they are not directed, the order of the ends does not matter.
/// Leaves the edges sorted, and undirected ones with the smaller end first.
std::uint64_t sort_and_count_duplicates(std::span<edge> edges, bool directed);

// Writing a graph that is in memory to a file of any format.

/// How the lists of a BVGraph are written.
struct bvgraph_lists {
  static constexpr std::uint64_t largest_window = 65'535;
  static constexpr std::uint64_t largest_zeta = 15;
  static constexpr std::uint64_t largest_number = (std::uint64_t{1} << 31) - 1;  ///< of Java

  std::uint64_t window = 7;          ///< a list may refer to one so many nodes before
  std::uint64_t max_references = 3;  ///< from list to list
  std::uint64_t min_interval = 4;    ///< the shortest interval; 0: there are none
  std::uint64_t zeta = 3;            ///< k of the code of single successors
};

struct graph_to_write {
  std::string path;
  file_format format;
  std::uint64_t vertices = 0;
  std::vector<edge> edges;
  std::vector<std::int64_t> weights;  ///< one an edge, or none: then all are 1
  bool undirected = false;            ///< an edge stands for both directions
  bvgraph_lists lists;                ///< how a BVGraph is written

  /// Gets how much was written, 0 to 1, now and then. May be empty.
  std::function<void(double)> show_progress;
};

struct written_graph {
  std::uint64_t bytes = 0;  ///< of the file with the edges
  std::uint64_t edges = 0;
  std::uint64_t duplicates = 0;    ///< not written, as the format has no edge twice
  std::vector<std::string> notes;  ///< sentences about what others may find wrong with the file
};

/// Writes the file, which has its name only when it is complete; without that nothing stays behind.
/// Formats with rows of neighbours sort them, which takes 24 bytes an arc. Throws `error` (input)
/// if the file cannot be made there and for what the format has no numbers for, `error`
/// (environment) when the file takes no more.
written_graph write_graph(graph_to_write&& graph);

// Writing edges one after another.

/// Whether edges of the format can be written so.
bool is_written_by_edge(edge_format format);

/// What the first lines of a file say, where its format has such lines.
struct graph_outline {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool undirected = false;  ///< an edge stands for both directions
  bool weighted = false;    ///< weights are written where the format may do without
};

/// The file has its name only after `commit`; without it nothing stays behind.
class edge_writer {
 public:
  /// Format and compression by the ending of the name. Throws `error` (input) if the file cannot be
  /// made there, and for formats whose first lines say how many edges follow.
  explicit edge_writer(const std::string& path);

  /// The same in any format that is written edge by edge. As many edges must follow as `outline`
  /// says. Throws `error` (input) likewise.
  edge_writer(const std::string& path, file_format format, const graph_outline& outline);
  ~edge_writer();
  edge_writer(const edge_writer&) = delete;
  edge_writer& operator=(const edge_writer&) = delete;

  /// Adds an edge; the weight is written if the format has weights. Throws `error` (environment)
  /// when the file takes no more.
  void write(const edge& e, std::int64_t weight = 1);

  /// Completes the file, replacing what had its name; nothing is written after it. Throws `error`
  /// (environment).
  void commit();

  const file_format& format() const { return format_; }

  /// Of the file so far; all of them after `commit`.
  std::uint64_t bytes() const;

 private:
  struct open_file;

  file_format format_;
  std::unique_ptr<open_file> file_;
};

/// Writes a BVGraph list by list, so that a graph need not be in memory. The files have their names
/// only after `commit`; without it nothing stays behind.
class bvgraph_writer {
 public:
  /// `path` is `NAME.graph` or `NAME`, beside which `NAME.properties` and `NAME.offsets` are made.
  /// Throws `error` (input) if the files cannot be made there, and for numbers out of range.
  explicit bvgraph_writer(const std::string& path, const bvgraph_lists& lists = {});
  ~bvgraph_writer();
  bvgraph_writer(const bvgraph_writer&) = delete;
  bvgraph_writer& operator=(const bvgraph_writer&) = delete;

  /// Adds the next node, with its successors: increasing numbers, of nodes that come before or
  /// after. Throws `error`: input where they do not increase; environment when the files take no
  /// more.
  void write(std::span<const std::uint64_t> successors);

  /// Completes the files, replacing what had their names; nothing is written after it. Throws
  /// `error`: input where a successor is no node; environment.
  void commit();

  /// How many have been written so far.
  std::uint64_t nodes() const;
  std::uint64_t arcs() const;

 private:
  struct open_files;

  std::unique_ptr<open_files> files_;
};

/// Writes the edges `make(0)` to `make(count - 1)` and returns the bytes of the file. Throws as
/// `edge_writer` does.
template <class Make>
std::uint64_t write_edges(const std::string& path, std::uint64_t count, Make make) {
  edge_writer writer(path);
  for (std::uint64_t i = 0; i < count; ++i) writer.write(make(i));
  writer.commit();
  return writer.bytes();
}

// Files with a row for each vertex (`vertex_array::write`): their names tell how rows stand in
// them.

enum class vertex_style : std::uint8_t {
  txt,  ///< columns separated by tabs, their titles in a comment
  tsv,  ///< the same, the titles in a line
  csv,  ///< columns separated by commas, the titles in a line
  npy   ///< an array of NumPy, by vertex
};

struct vertex_format {
  vertex_style style = vertex_style::txt;
  compression packing = compression::none;
};

/// `labels.csv.zst` is a csv with zstd. Throws `error` (input) for a name that does not say.
vertex_format vertex_format_of(std::string_view path);

/// Takes such a file piece by piece; `done` is the share of the vertices before the end of the
/// piece.
using file_taker = std::function<void(std::string_view bytes, double done)>;

}  // namespace atl
