#pragma once
// The keys that a job sorts, and once more those that it checks against.

#include "app/sort_flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/io/read_keys.hpp"
#include "atoll/kernels/sort/input.hpp"

#include <bit>

namespace atl::app {

/// What a PE has read of a file.
using read_part = std::vector<std::uint64_t>;

struct size_of_keys {
  std::uint64_t keys = 0;
  std::uint64_t largest = 0;

  unsigned bits() const { return std::max(1u, static_cast<unsigned>(std::bit_width(largest))); }
};

/// The text of PE 0, on every PE: another one may be a process that never saw it.
inline task<std::string> all_share(const std::string* text_there) {
  const std::span<const char> mine(my_pe() == 0 ? *text_there : std::string_view());
  const auto of_all = co_await all_gather(mine);
  co_return std::string(of_all[0].begin(), of_all[0].end());
}

/// A little that is compressed may be many keys. Parts differ, so one alone is measured by the
/// limit of all.
inline void check_memory_limit(const std::string& path, std::size_t keys) {
  const auto limit = job_settings().memory_limit;
  if (limit == 0 || keys <= limit / sizeof(std::uint64_t)) return;
  fail(errc::out_of_memory, "{}: its keys need more than the setting memory-limit, {} bytes", path,
       limit);
}

/// Reads the file, a part on each PE. The main task calls it. Throws `error` (input) by ending the
/// job.
inline task<size_of_keys> read_file(per_pe<read_part> read, const std::string& path,
                                    trial_series& trials) {
  const auto on_each = [read, path = &path, shown = &trials]() -> task<size_of_keys> {
    file_part which;
    which.path = co_await all_share(path);
    which.part = static_cast<std::uint64_t>(my_pe());
    which.parts = static_cast<std::uint64_t>(pes());
    key_reader reader(which);
    size_of_keys mine;
    while (reader.read_some(read.local())) {
      for (; mine.keys < read->size(); ++mine.keys)
        mine.largest = std::max(mine.largest, read.local()[mine.keys]);
      check_memory_limit(which.path, mine.keys);
      if (my_pe() == 0)
        shown->show(fmt::format("reading {}: {:.0f} %", *path, 100 * reader.progress()));
      co_await yield();
    }
    const auto of_both = [](const size_of_keys& a, const size_of_keys& b) {
      return size_of_keys{a.keys + b.keys, std::max(a.largest, b.largest)};
    };
    co_return co_await all_reduce(mine, of_both);
  };
  co_return co_await from_all_pes(on_each);
}

/// Which keys, as it travels.
struct key_source {
  per_pe<read_part> read;
  bool of_file = false;
  kernels::sort::nas_class nas{};
  std::uint64_t keys = 0;
  unsigned bits = 0;
  std::uint64_t seed = 0;

  bool of_nas() const { return nas.bits != 0; }

  /// Gives this PE its keys. Every PE calls it.
  template <class Key>
  task<> take(kernels::sort::key_part<Key>& mine) const {
    namespace sort = kernels::sort;
    mine.shape = sort::shape_for(bits, pes());
    const auto add = [&](std::uint64_t key) { mine.keys.push_back(static_cast<Key>(key)); };
    if (of_nas()) {
      co_await sort::take_nas_keys(mine, nas);
    } else if (of_file) {
      mine.keys.reserve(read->size());
      co_await sort::in_stretches(std::span(read.local()), [&](auto some) {
        for (const std::uint64_t key : some) add(key);
      });
      read_part().swap(read.local());
    } else {
      mine.keys.reserve(keys / static_cast<std::uint64_t>(pes()) + 1);
      co_await sort::for_random_keys(keys, bits, seed, add);
    }
  }

  /// Makes this PE's part of the input once more; a file is read again, as a whole, by PE 0, where
  /// `path` is known. Every PE calls it.
  task<kernels::sort::key_account> account(const std::string* path) const {
    namespace sort = kernels::sort;
    if (of_nas()) co_return co_await sort::account_of_nas_keys(nas);
    sort::key_account account;
    const auto add = [&](std::uint64_t key) { account.add(key); };
    if (!of_file) {
      co_await sort::for_random_keys(keys, bits, seed, add);
    } else if (my_pe() == 0) {
      file_part whole;
      whole.path = *path;
      key_reader reader(whole);
      for (read_part some; reader.read_some(some); some.clear()) {
        for (const std::uint64_t key : some) add(key);
        co_await yield();
      }
    }
    co_return account;
  }
};

}  // namespace atl::app
