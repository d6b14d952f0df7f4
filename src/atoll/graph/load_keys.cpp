#include "atoll/graph/load_keys.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/npy.hpp"
#include "atoll/graph/reading_report.hpp"
#include "atoll/memory/shared_text.hpp"
#include "atoll/pe.hpp"
#include "atoll/task/own_addresses.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace atl {

/// Reads a file as blocks of keys.
class key_reader::blocks {
 public:
  virtual ~blocks() = default;
  virtual bool read_some(std::vector<std::uint64_t>& into) = 0;
  virtual double progress() const = 0;
};

namespace {

class array_blocks : public key_reader::blocks {
 public:
  explicit array_blocks(const file_part& which)
      : file_(which.path, which.options.content), array_(graph::read_npy_head(file_)) {
    const auto begin_of = [&](std::uint64_t part) {
      return array_.elements / which.parts * part + std::min(part, array_.elements % which.parts);
    };
    first_ = next_ = begin_of(which.part);
    end_ = begin_of(which.part + 1);
  }

  bool read_some(std::vector<std::uint64_t>& into) override {
    constexpr std::uint64_t bytes_at_once = std::uint64_t{1} << 18;
    if (next_ == end_) return false;
    bytes_.resize(std::min(bytes_at_once, (end_ - next_) * array_.element_bytes));
    file_.read_exactly(array_.offset + next_ * array_.element_bytes, bytes_);
    for (std::size_t at = 0; at + array_.element_bytes <= bytes_.size();
         at += array_.element_bytes, ++next_)
      into.push_back(element_at(bytes_.data() + at));
    return true;
  }

  double progress() const override {
    return first_ == end_
               ? 1
               : static_cast<double>(next_ - first_) / static_cast<double>(end_ - first_);
  }

 private:
  std::uint64_t element_at(const char* bytes) const {
    std::uint64_t element = 0;
    std::memcpy(&element, bytes, array_.element_bytes);
    const bool negative = array_.is_signed && element >> (8 * array_.element_bytes - 1) != 0;
    if (negative) fail(errc::input, "{}: element {} is negative", file_.path(), next_);
    return element;
  }

  graph::input_file file_;
  graph::npy_array array_;
  std::uint64_t first_, next_, end_;
  std::string bytes_;
};

std::string key_complaint(std::string_view field) {
  const bool is_number = !field.empty() && std::ranges::all_of(field, graph::is_digit);
  if (!is_number)
    return fmt::format("expected an integer from 0 to 2^64 - 1, found {}", graph::shown(field));
  return fmt::format("{} is out of range (0 to 2^64 - 1)", graph::shown(field));
}

class text_blocks : public key_reader::blocks {
 public:
  explicit text_blocks(const file_part& which)
      : file_(which.path, which.options.content),
        lines_(file_, compression_of(which.path), which) {}

  bool read_some(std::vector<std::uint64_t>& into) override {
    const auto block = lines_.next();
    const char* const end = block.data() + block.size();
    for (const char* line = block.data(); line < end; line = graph::next_line(line)) {
      const char* const text = graph::skip_blanks(line);
      if (!graph::at_end_of_line(text) && *text != '#') into.push_back(key_at(text));
    }
    return !block.empty();
  }

  double progress() const override { return lines_.progress(); }

 private:
  /// Returns the key in a line. Throws `error` (input) if the line contains anything else.
  std::uint64_t key_at(const char* text) const {
    const auto field = graph::field_at(text);
    std::uint64_t key = 0;
    const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), key);
    if (status != std::errc{} || end != field.data() + field.size())
      throw lines_.error_at(text, key_complaint(field));
    const char* const rest = graph::skip_blanks(end);
    if (!graph::at_end_of_line(rest))
      throw lines_.error_at(rest, fmt::format("expected the end of the line, found {}",
                                              graph::shown(graph::field_at(rest))));
    return key;
  }

  graph::input_file file_;
  graph::line_blocks lines_;
};

}  // namespace

key_reader::key_reader(const file_part& which) : path_(which.path) {
  if (graph::is_npy(graph::input_file(which.path, which.options.content)))
    blocks_ = std::make_unique<array_blocks>(which);
  else
    blocks_ = std::make_unique<text_blocks>(which);
}

key_reader::~key_reader() = default;

bool key_reader::read_some(std::vector<std::uint64_t>& into) try {
  return blocks_->read_some(into);
} catch (const std::bad_alloc&) {
  fail(errc::out_of_memory, "{}: its keys do not fit into memory", path_);
}

double key_reader::progress() const { return blocks_->progress(); }

std::vector<std::uint64_t> keys_of_part(const file_part& which) {
  key_reader reader(which);
  std::vector<std::uint64_t> all;
  while (reader.read_some(all)) {
  }
  return all;
}

task<key_file> all_share_key_file(const key_file* file, int from) {
  key_file shared;
  if (my_pe() == from) shared = *file;
  shared.path = co_await all_share_text(shared.path, from);
  shared.content = co_await all_share_text(shared.content, from);
  co_return shared;
}

namespace {

using key_list = std::vector<std::uint64_t>;

/// Throws `error` (out_of_memory) if the memory of this part exceeds the limit. The check is needed
/// because a few compressed bytes may expand to many keys. The function compares the keys of each
/// part with the limit of the whole job. An equal share of the limit would be too strict, because
/// one part may be much larger than the others.
void check_room_for_keys(const std::string& path, std::size_t keys) {
  const auto limit = this_pe().options->memory_limit;
  if (limit == 0 || keys <= limit / sizeof(std::uint64_t)) return;
  fail(errc::out_of_memory, "{}: its keys need more than the setting memory-limit, {} bytes", path,
       limit);
}

task<keys_in_file> read_my_part(const key_file& file, key_list& into,
                                const std::function<void(double)>* progress) {
  file_part which;
  which.path = file.path;
  which.options.content = file.content;
  which.part = static_cast<std::uint64_t>(my_pe());
  which.parts = static_cast<std::uint64_t>(pes());
  key_reader reader(which);
  keys_in_file mine;
  while (reader.read_some(into)) {
    for (; mine.keys < into.size(); ++mine.keys)
      mine.largest = std::max(mine.largest, into[mine.keys]);
    check_room_for_keys(file.path, mine.keys);
    if (progress != nullptr) (*progress)(reader.progress());
    co_await yield();
  }
  co_return mine;
}

/// The facts about the keys of all PEs, or the error that all PEs throw.
struct keys_loaded {
  keys_in_file found;
  std::optional<error> failure;
};

/// Loads the keys. Every PE calls this function. Only PE `from` needs `file` and `progress`.
task<keys_loaded> all_load_keys(const key_file* file, int from, key_list& into,
                                const std::function<void(double)>* progress) {
  const key_file shared = co_await all_share_key_file(file, from);
  keys_in_file mine;
  const auto* const heard = my_pe() == from ? progress : nullptr;
  const auto read = [&]() -> task<> { mine = co_await read_my_part(shared, into, heard); };
  keys_loaded result;
  try {
    co_await graph::all_or_none(shared.path, read);
  } catch (const error& e) {
    result.failure = e;
    co_return result;
  }
  const auto of_both = [](const keys_in_file& a, const keys_in_file& b) {
    return keys_in_file{a.keys + b.keys, std::max(a.largest, b.largest)};
  };
  result.found = co_await all_reduce(mine, of_both);
  co_return result;
}

}  // namespace

task<keys_in_file> load_keys(const key_file& file, per_pe<key_list> into,
                             const std::function<void(double)>& progress) {
  const auto load = [file_here = tasks::own_pointer(&file), from = my_pe(), into,
                     heard = tasks::own_pointer(&progress)] {
    return all_load_keys(file_here.get(), from, into.local(), heard.get());
  };
  const keys_loaded loaded = co_await from_all_pes(load);
  if (loaded.failure) throw *loaded.failure;
  co_return loaded.found;
}

}  // namespace atl
