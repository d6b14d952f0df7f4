#include "atoll/graph/io/read_edges.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/reading_report.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <span>
#include <utility>

namespace atl {
namespace {

constexpr std::size_t k_told_by_bytes = 64 * 1024;

constexpr std::string_view k_otherwise = "; --from says it, too";
constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";

/// Returns the text after the skipped lines.
std::string_view without_lines(std::string_view text, std::uint64_t lines) {
  if (text.starts_with(k_byte_order_mark)) text.remove_prefix(k_byte_order_mark.size());
  for (; lines > 0 && !text.empty(); --lines)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

/// Returns the first bytes of the text. If the compression is damaged, there may be fewer bytes,
/// and the reader reports the damage.
std::string beginning_of(const graph::input_file& file, compression packing,
                         const read_options& how) {
  std::string begin(k_told_by_bytes, '\0');
  try {
    begin.resize(graph::open_source(file, packing)->read(begin));
  } catch (const graph::unreadable& damage) {
    begin.resize(damage.delivered());
  }
  begin += '\n';
  graph::end_lines_alike(std::span(begin).first(begin.size() - 1));
  begin.pop_back();
  return std::string(without_lines(begin, how.skip_lines.value_or(0)));
}

/// The format that the content of a file suggests.
struct told_format {
  std::optional<edge_format> format;
  graph::likeness likeness = graph::likeness::none;
};

/// Returns the format of the content. Among equally likely formats, the call prefers the format of
/// the name, and then the first format in the table.
told_format told_by(const graph::file_beginning& beginning,
                    const std::optional<file_format>& named) {
  told_format told;
  const auto ask = [&](edge_format format) {
    const auto likeness = graph::row_of(format).recognise(beginning);
    if (likeness > told.likeness) told = {format, likeness};
  };
  if (named) ask(named->edges);
  for (const auto format : all_edge_formats()) ask(format);
  return told;
}

/// Returns the compression that the name tells. If the name leaves the compression open, the first
/// bytes decide.
compression packing_of(const graph::input_file& file) {
  std::array<char, 4> first{};
  const std::string_view begin(first.data(), file.read_at(0, first));
  if (compression_of(file.path()) != compression::none) return compression_of(file.path());
  if (begin.starts_with("\x1f\x8b")) return compression::gzip;
  return begin == "\x28\xb5\x2f\xfd" ? compression::zstd : compression::none;
}

bool is_there(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

/// Returns true if a companion file confirms the format of the name.
bool stands_beside(const std::string& path, edge_format named) {
  return !traits_of(named).beside[0].empty() && is_there(files_of(path, named)[1]);
}

}  // namespace

file_format recognised_format(const std::string& path, const read_options& how) {
  if (how.format) return *how.format;
  const auto named = format_in_name(path);
  const std::string& content = how.content.empty() ? path : how.content;
  // The reader of the format reports that the file is missing.
  const bool is_missing = named && !is_there(content);
  if (is_missing || (named && stands_beside(path, named->edges)))
    return file_format_of(path, k_otherwise);
  const graph::input_file file(path, how.content);
  const auto packing = named ? compression_of(path) : packing_of(file);
  const auto [found, likeness] = told_by({file, packing, beginning_of(file, packing, how)}, named);
  if (!found) {
    graph::refuse_unread(file);
    return file_format_of(path, k_otherwise);
  }
  const bool contradicted = named && !traits_of(named->edges).any_content && *found != named->edges;
  if (contradicted && likeness == graph::likeness::certain)
    fail(errc::input, "{}:1:1: the file begins as one of the format {}, and its name says {}", path,
         name_of(*found), name_of(named->edges));
  return {*found, packing};
}

file_format format_as_packed(const std::string& path, edge_format edges, const read_options& how) {
  if (is_binary(edges)) return {edges, compression::none};
  return {edges, packing_of(graph::input_file(path, how.content))};
}

edge_reader::edge_reader(file_part which) : which_(std::move(which)) {
  const auto format = recognised_format(which_.path, which_.options);
  source_ = graph::row_of(format.edges).open(which_, format);
  list_.origin = which_;
  source_->describe(list_);
}

bool edge_reader::read_some() try { return read_block(); } catch (const std::bad_alloc&) {
  fail(errc::out_of_memory, "{}: its edges do not fit into memory", which_.path);
}

bool edge_reader::read_block() {
  const bool more = source_->read_some(list_);
  if (which_.options.without_weights) {
    list_.leaves_out_weights |= !list_.weights.empty();
    list_.weights.clear();
    list_.weights_fault.reset();
    list_.weights_are_real = false;
  }
  return more;
}

edge_list edge_reader::take() && {
  source_->finish(list_);
  return std::move(list_);
}

namespace {

/// Completes the list of a whole file after all parts were read.
void complete(edge_list& list) {
  agree_on_names(list, list.uses_names);
  if (list.found.one_way != 0) throw graph::find_one_way(list.origin);
  if (list.declared) check_size(*list.declared, list.size());
  graph::add_remarks(list.remarks, {list.count(), list.uneven_lines, list.words}, list.first_uneven,
                     list.first_word);
  if (list.ids_as_written && least_vertex_of(list.edges) == 1)
    list.remarks.push_back(graph::remark_on_first_id(list.origin.path));
}

}  // namespace

edge_list read_edges(const std::string& path, std::uint64_t part, std::uint64_t parts,
                     const read_options& options) {
  edge_reader reader({path, part, parts, options});
  while (reader.read_some()) {
  }
  auto list = std::move(reader).take();
  if (parts == 1) complete(list);
  return list;
}

edge_list read_edges(const std::string& path, const std::function<void(double)>& show_progress,
                     const read_options& options) {
  edge_reader reader({path, 0, 1, options});
  while (reader.read_some()) show_progress(reader.progress());
  auto list = std::move(reader).take();
  complete(list);
  return list;
}

void agree_on_names(edge_list& list, bool any_uses_names) {
  if (list.uses_names) return;
  if (any_uses_names) {
    const auto origin = std::exchange(list, {}).origin;
    auto options = origin.options;
    options.all_names = true;
    list = read_edges(origin.path, origin.part, origin.parts, options);
  } else if (list.deferred) {
    throw *list.deferred;
  }
}

}  // namespace atl
