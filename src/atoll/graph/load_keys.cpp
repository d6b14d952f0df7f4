#include "atoll/graph/load_keys.hpp"

#include "atoll/graph/first_error.hpp"
#include "atoll/graph/io/read_keys.hpp"
#include "atoll/memory/shared_text.hpp"
#include "atoll/pe.hpp"
#include "atoll/task/own_addresses.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace atl {
namespace {

using key_list = std::vector<std::uint64_t>;

/// A little that is compressed may be many keys. Parts differ, so one alone is measured by the
/// limit of all.
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
    if (my_pe() == 0) (*progress)(reader.progress());
    co_await yield();
  }
  co_return mine;
}

/// The keys of all PEs, or the error of all.
struct keys_loaded {
  keys_in_file found;
  std::optional<error> failure;
};

/// Every PE calls it; `file` and `progress` are those of PE 0.
task<keys_loaded> all_load_keys(const key_file* file, key_list& into,
                                const std::function<void(double)>* progress) {
  key_file shared;
  if (my_pe() == 0) shared = *file;
  shared.path = co_await all_share_text(shared.path, 0);
  shared.content = co_await all_share_text(shared.content, 0);
  keys_in_file mine;
  const auto read = [&]() -> task<> { mine = co_await read_my_part(shared, into, progress); };
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
  const auto load = [file_here = tasks::own_pointer(&file), into,
                     heard = tasks::own_pointer(&progress)] {
    return all_load_keys(file_here.get(), into.local(), heard.get());
  };
  const keys_loaded loaded = co_await from_all_pes(load);
  if (loaded.failure) throw *loaded.failure;
  co_return loaded.found;
}

}  // namespace atl
