#include "python/server/loaded_graph.hpp"

#include "atoll/graph_files.hpp"
#include "atoll/loops.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <string_view>

namespace atl::serve {
namespace {

/// The type of the elements of an array of ids or weights.
enum class element : std::uint8_t { i4, u4, i8, u8, f8 };

element element_of(arguments& of, const char* name, const char* otherwise) {
  const std::string type = of.text(name, otherwise);
  if (type == "<i4") return element::i4;
  if (type == "<u4") return element::u4;
  if (type == "<i8") return element::i8;
  if (type == "<u8") return element::u8;
  if (type == "<f8") return element::f8;
  fail(errc::input, "{}: there is no type {} of array elements here", name, type);
}

std::uint64_t width_of(element type) {
  return type == element::i4 || type == element::u4 ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

/// A column of an array in a file in memory. The object is trivially copyable.
struct column {
  shared_file file;
  element type = element::i8;
};

/// Checks the length of an array and returns its handle.
column column_of(arguments& of, const char* name, const char* type, std::uint64_t rows) {
  const descriptor& file = of.file(name);
  const column found{shared_file::of(file), element_of(of, type, "<i8")};
  if (bytes_of(file) < rows * width_of(found.type))
    fail(errc::input, "{}: the array has {} bytes, which are fewer than {} elements", name,
         bytes_of(file), rows);
  return found;
}

/// A part of a column that this PE can read.
class mapped_column {
 public:
  static task<mapped_column> of(column all, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t width = width_of(all.type);
    mapped_column made;
    made.type_ = all.type;
    made.part_ = co_await mapped_part::of(all.file, begin * width, (end - begin) * width);
    co_return made;
  }

  std::int64_t operator[](std::uint64_t i) const {
    switch (type_) {
    case element::i4:
      return at<std::int32_t>(i);
    case element::u4:
      return at<std::uint32_t>(i);
    default:
      return at<std::int64_t>(i);
    }
  }
  bool is_signed() const { return type_ == element::i4 || type_ == element::i8; }

 private:
  template <class T>
  std::int64_t at(std::uint64_t i) const {
    T value;
    std::memcpy(&value, part_.data() + i * sizeof(T), sizeof(T));
    return static_cast<std::int64_t>(value);
  }

  element type_ = element::i8;
  mapped_part part_;
};

/// The file of the bytes of all names, and the file with the end of each name within these bytes.
struct name_files {
  shared_file text;
  std::uint64_t bytes = 0;
  shared_file ends;
};

/// The part of an array of names that this PE takes.
class mapped_names {
 public:
  static task<mapped_names> of(name_files all, std::uint64_t begin, std::uint64_t end) {
    mapped_names made;
    constexpr std::uint64_t width = sizeof(std::uint64_t);
    made.ends_ = co_await mapped_part::of(all.ends, begin * width, (end - begin + 1) * width);
    made.first_ = made.end_of(0);
    const std::uint64_t last = made.end_of(end - begin);
    if (last >= made.first_ && last <= all.bytes)
      made.text_ = co_await mapped_part::of(all.text, made.first_, last - made.first_);
    made.check_ends(end - begin, all.bytes);
    co_return made;
  }

  std::string_view operator[](std::uint64_t i) const {
    const auto* const text = reinterpret_cast<const char*>(text_.data());
    return {text + (end_of(i) - first_), end_of(i + 1) - end_of(i)};
  }

 private:
  void check_ends(std::uint64_t names, std::uint64_t bytes) const {
    std::uint64_t before = first_;
    for (std::uint64_t i = 1; i <= names; ++i) {
      const std::uint64_t here = end_of(i);
      if (here < before || here > bytes)
        fail(errc::input, "the ends of names are not in ascending order, or are beyond the names");
      before = here;
    }
  }

  std::uint64_t end_of(std::uint64_t i) const {
    std::uint64_t value = 0;
    std::memcpy(&value, ends_.data() + i * sizeof value, sizeof value);
    return value;
  }

  mapped_part ends_;
  std::uint64_t first_ = 0;
  mapped_part text_;
};

/// The arrays from which a graph is made. The object is trivially copyable.
struct edge_columns {
  std::uint64_t edges = 0;
  bool named = false;
  column src, dst;                  ///< ids, if the endpoints are not names
  name_files src_names, dst_names;  ///< names, if the endpoints are names
  bool weighted = false;
  column weight;
  /// Whether the smaller end of each edge is put first. In an undirected graph, the weights of
  /// parallel edges are summed only if all of these edges list their endpoints in the same order.
  bool puts_smaller_first = false;
};

name_files names_of(arguments& of, const char* text, shared_file ends) {
  const descriptor& file = of.file(text);
  return {shared_file::of(file), bytes_of(file), ends};
}

edge_columns columns_of(arguments& of) {
  edge_columns found;
  found.edges = of.count("edges", 0, 0, std::uint64_t{1} << 48);
  found.named = of.truth("named");
  const std::uint64_t ends = found.named ? found.edges + 1 : found.edges;
  found.src = column_of(of, "src", "src_type", ends);
  found.dst = column_of(of, "dst", "dst_type", ends);
  if (found.src.type == element::f8 || found.dst.type == element::f8)
    fail(errc::input, "src_type: the ids of vertices are integers or names");
  if (found.named) {
    found.src_names = names_of(of, "src_text", found.src.file);
    found.dst_names = names_of(of, "dst_text", found.dst.file);
  }
  found.weighted = of.has("weight");
  if (found.weighted) found.weight = column_of(of, "weight", "weight_type", found.edges);
  const bool lists_both_directions = of.truth("symmetric");
  found.puts_smaller_first = found.weighted && !lists_both_directions && !of.truth("directed");
  return found;
}

/// The edges from begin to end - 1, which this PE takes.
struct edge_range {
  std::uint64_t begin, end;

  static edge_range of_this_pe(std::uint64_t edges) {
    const auto all = static_cast<uint128>(pes());
    const auto rank = static_cast<uint128>(my_pe());
    return {static_cast<std::uint64_t>(uint128(edges) * rank / all),
            static_cast<std::uint64_t>(uint128(edges) * (rank + 1) / all)};
  }
};

std::uint64_t id_at(const mapped_column& ids, std::uint64_t i, std::uint64_t first,
                    const char* name) {
  const std::int64_t id = ids[i];
  if (id < 0 && ids.is_signed())
    fail(errc::input, "{}: element {} is {}, and ids are at least 0", name, first + i, id);
  if (id < 0)
    fail(errc::input, "{}: element {} is {}, and ids are below 2^63", name, first + i,
         static_cast<std::uint64_t>(id));
  return static_cast<std::uint64_t>(id);
}

/// Returns the weights of this PE's edges as integers, or as the bits of doubles.
task<std::vector<std::int64_t>> weights_of(const edge_columns from, edge_range mine) {
  std::vector<std::int64_t> weights;
  if (!from.weighted) co_return weights;
  const auto all = co_await mapped_column::of(from.weight, mine.begin, mine.end);
  for (std::uint64_t i = 0; i < mine.end - mine.begin; ++i) {
    weights.push_back(all[i]);
    if (from.weight.type == element::f8 && !std::isfinite(std::bit_cast<double>(weights.back())))
      fail(errc::input, "weight: element {} is no finite number", mine.begin + i);
  }
  co_return weights;
}

weight_kind kind_of(const edge_columns& from) {
  return from.weight.type == element::f8 ? weight_kind::real : weight_kind::integer;
}

/// Adds this PE's part of the edges, whose endpoints are ids.
task<> add_ids_of(const edge_columns from, per_pe<stored_edges> to) {
  const auto mine = edge_range::of_this_pe(from.edges);
  const auto src = co_await mapped_column::of(from.src, mine.begin, mine.end);
  const auto dst = co_await mapped_column::of(from.dst, mine.begin, mine.end);
  const auto weights = co_await weights_of(from, mine);
  std::vector<edge> some;
  for (std::uint64_t begin = 0; begin < mine.end - mine.begin; begin += k_stretch) {
    const std::uint64_t end = std::min(begin + k_stretch, mine.end - mine.begin);
    some.clear();
    for (std::uint64_t i = begin; i < end; ++i) {
      edge next{id_at(src, i, mine.begin, "src"), id_at(dst, i, mine.begin, "dst")};
      if (from.puts_smaller_first && next.to < next.from) std::swap(next.from, next.to);
      some.push_back(next);
    }
    const std::span<const std::int64_t> all(weights);
    to->edges.add(some, all.empty() ? all : all.subspan(begin, end - begin), kind_of(from));
    co_await yield();
  }
}

/// Throws atl::error (input) if this PE's part of names or weights is wrong. Without this check, a
/// wrong name or weight would end the job in the collective call that adds the edges.
task<> check_names_of(const edge_columns from) {
  const auto mine = edge_range::of_this_pe(from.edges);
  static_cast<void>(co_await weights_of(from, mine));
  for (const bool is_dst : {false, true}) {
    const name_files& files = is_dst ? from.dst_names : from.src_names;
    const auto names = co_await mapped_names::of(files, mine.begin, mine.end);
    for (std::uint64_t i = 0; i < mine.end - mine.begin; ++i) {
      const std::string_view name = names[i];
      if (name.empty() || name.find_first_of("\n\r") != std::string_view::npos)
        fail(errc::input, "{}: element {} {}, which is no name of a vertex", is_dst ? "dst" : "src",
             mine.begin + i, name.empty() ? "is empty" : "has a line break");
      if (i % k_stretch == k_stretch - 1) co_await yield();
    }
  }
}

/// Adds the edges, whose endpoints are names. Every PE calls this function and waits.
task<> all_add_names_of(const edge_columns from, per_pe<stored_edges> to, vertex_names names) {
  const auto mine = edge_range::of_this_pe(from.edges);
  const auto src = co_await mapped_names::of(from.src_names, mine.begin, mine.end);
  const auto dst = co_await mapped_names::of(from.dst_names, mine.begin, mine.end);
  std::vector<std::string_view> ends;
  for (std::uint64_t i = 0; i < mine.end - mine.begin; ++i) {
    const bool swaps = from.puts_smaller_first && dst[i] < src[i];
    ends.insert(ends.end(), {swaps ? dst[i] : src[i], swaps ? src[i] : dst[i]});
  }
  const auto weights = co_await weights_of(from, mine);
  co_await all_add_named_edges(to, names, ends, weights, kind_of(from));
}

}  // namespace

task<loaded_graph> loaded_graph::of_arrays(arguments& of, progress_view progress) {
  const edge_columns from = columns_of(of);
  const std::uint64_t vertices = of.count("vertices", 0, 0, std::uint64_t{1} << 48);
  graph_options options{.directed = of.truth("directed"), .arc_weights = from.weighted};
  if (!from.named && !of.truth("positions")) options.ids = ids::any;
  options.progress = progress;
  of.refuse_others();
  if (from.edges == 0) options.arc_weights = false;
  auto builder = co_await graph_builder::make(options);
  const auto add = [from, to = builder.stored()]() -> task<> { co_await add_ids_of(from, to); };
  const auto add_named = [from, to = builder.stored(), names = builder.names()]() -> task<> {
    co_await all_add_names_of(from, to, names);
  };
  loaded_graph made;
  made.main_ = co_await graph::built_or_discarded(builder, [&]() -> task<global_graph> {
    if (from.named) {
      co_await on_all_pes([from] { return check_names_of(from); });
      co_await together(add_named);
    } else {
      co_await on_all_pes(add);
    }
    co_await builder.settle(vertices);
    co_return co_await builder.build();
  });
  co_return made;
}

namespace {

/// Returns sentences about parts of a file that were not used, or were understood in a way that the
/// user may not expect.
std::vector<std::string> remarks_of(const reading_notes& notes) {
  auto remarks = notes.remarks;
  if (!notes.why_no_weights.empty())
    remarks.push_back(fmt::format("no weights were read: {}", notes.why_no_weights));
  if (notes.columns_left_out != 0)
    remarks.push_back(
        fmt::format("columns were left out, {} in the longest line", notes.columns_left_out));
  return remarks;
}

}  // namespace

task<loaded_graph> loaded_graph::of_file(arguments& of, progress_view progress) {
  graph_files files;
  files.edges = of.path("path");
  if (of.has("names")) files.names = of.path("names");
  files.compact = of.truth("any_ids");
  files.form.real_weights = true;
  if (of.has("weight_column")) files.form.weight_column = of.count("weight_column", 0);
  if (of.has("skip_lines")) files.form.skip_lines = of.count("skip_lines", 0);
  graph_options options{.directed = of.truth("directed")};
  options.progress = progress;
  of.refuse_others();
  auto builder = co_await graph_builder::make(options);
  loaded_graph made;
  made.main_ = co_await graph::built_or_discarded(builder, [&]() -> task<global_graph> {
    co_await builder.read(files);
    made.remarks_ = remarks_of(builder.notes());
    builder.options().arc_weights = builder.has_weights() && builder.edges() != 0;
    co_return co_await builder.build();
  });
  co_return made;
}

task<> loaded_graph::destroy() {
  if (least_weights_) co_await least_weights_->destroy();
  if (without_weights_) co_await without_weights_->destroy();
  co_await main_.destroy();
}

void loaded_graph::describe(answer& to) const {
  to.facts["vertices"] = main_.vertices();
  to.facts["edges"] = main_.edges();
  to.facts["directed"] = main_.is_directed();
  to.facts["weighted"] = main_.has_arc_weights();
  to.facts["remarks"] = remarks_;
  to.facts["ids"] = !main_.names().any()      ? "positions"
                    : main_.names().are_ids() ? "integers"
                                              : "names";
}

namespace {

/// Writes the ids that this PE stores to their places in the file.
task<> write_ids(const vertex_names names, const shared_file to) {
  const auto& part = names.local();
  const auto first = part.boundaries[static_cast<std::size_t>(my_pe())];
  co_await to.write(first * sizeof(std::uint64_t), std::as_bytes(std::span(part.ids)));
}

/// Returns the number of bytes that the names on this PE have.
std::uint64_t bytes_of_names(const vertex_names& names) {
  const auto& part = names.local();
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < part.names.size(); ++i) bytes += part.names[i].size();
  return bytes;
}

/// Writes the names that this PE stores, and the ends of these names. The names of this PE begin at
/// the byte `begin` of the text.
task<> write_names(const vertex_names names, std::uint64_t begin, const shared_file text,
                   const shared_file ends) {
  const auto& part = names.local();
  const auto me = static_cast<std::size_t>(my_pe());
  const std::uint64_t first = part.boundaries[me], count = part.boundaries[me + 1] - first;
  std::string all;
  std::vector<std::uint64_t> until;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i < part.names.size()) all += part.names[i];
    until.push_back(begin + all.size());
  }
  co_await text.write(begin, std::as_bytes(std::span(all)));
  co_await ends.write(first * sizeof(std::uint64_t), std::as_bytes(std::span(until)));
}

}  // namespace

task<> loaded_graph::add_ids(answer& to) const {
  const auto names = main_.names();
  if (!names.any()) co_return;
  auto ends = make_memory_file(main_.vertices() * sizeof(std::uint64_t));
  const auto shared = shared_file::of(ends);
  if (names.are_ids()) {
    co_await on_all_pes([names, shared] { return write_ids(names, shared); });
    to.add_file(std::move(ends), {{"id", "<i8"}}, main_.vertices());
    co_return;
  }
  const auto count = [names]() -> task<std::vector<std::uint64_t>> {
    co_return co_await all_gather(bytes_of_names(names));
  };
  const auto bytes = co_await from_all_pes(count);
  const auto total = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
  auto text = make_memory_file(total);
  const auto write = [names, shared, text = shared_file::of(text)]() -> task<> {
    const auto all = co_await all_gather(bytes_of_names(names));
    const auto before = std::accumulate(all.begin(), all.begin() + my_pe(), std::uint64_t{0});
    co_await write_names(names, before, text, shared);
  };
  co_await together(write);
  to.add_file(std::move(ends), {{"end", "<i8"}}, main_.vertices());
  to.add_file(std::move(text), {{"text", "|u1"}}, total);
}

task<vertex_id> loaded_graph::vertex(arguments& of, const char* name) const {
  std::string text = of.text(name);
  const auto found = co_await main_.find(text);
  if (found) co_return *found;
  std::string near;
  if (main_.names().any() && !main_.names().are_ids()) near = co_await main_.names().nearest(text);
  fail(errc::input, "{}: the graph has no vertex {}{}", name, text,
       near.empty() ? "" : fmt::format("; is {} meant?", near));
}

}  // namespace atl::serve
