// Writes sorted keys to a file.

#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/npy.hpp"
#include "atoll/kernels/common/travelling_progress.hpp"
#include "atoll/kernels/sort/part.hpp"
#include "atoll/memory/shared_text.hpp"
#include "atoll/output_file.hpp"
#include "atoll/sort.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace atl {

void check_keys_output(const std::string& path) {
  const auto ending = ending_of_content(path);
  if (ending == "npy" || ending == "txt") return;
  fail(errc::input,
       "{}: the name does not say how to write: .txt or .npy, alone or with .gz or .zst after it",
       path);
}

namespace {

bool is_array(const std::string& path) { return ending_of_content(path) == "npy"; }

/// The output file while it is written, on PE 0.
class keys_writer {
 public:
  explicit keys_writer(const std::string& path)
      : file_(path), sink_(graph::open_sink(file_, compression_of(path))) {}

  void write(std::string_view bytes) { sink_->write(bytes); }

  void commit() {
    sink_->finish();
    file_.commit();
  }

 private:
  output_file file_;
  std::unique_ptr<graph::byte_sink> sink_;
};

/// Calls `act()`, but only if `failure` is empty. If `act()` throws an `error`, stores the error in
/// `failure`.
template <class Act>
void keep_failure(std::optional<error>& failure, const Act& act) {
  if (failure) return;
  try {
    act();
  } catch (const error& thrown) {
    failure = thrown;
  }
}

/// Returns the bytes of `keys` for the file. If `as_array` is true, the bytes are the elements of a
/// NumPy array. If `as_array` is false, the bytes are a text with one key per line.
template <class Key>
std::string bytes_of_keys(std::span<const Key> keys, bool as_array) {
  if (as_array) return std::string(reinterpret_cast<const char*>(keys.data()), keys.size_bytes());
  std::string text;
  for (const Key each : keys) text += fmt::format("{}\n", each);
  return text;
}

/// Sends the bytes of the keys of all PEs to PE 0, in the order of the PEs. PE 0 calls `take(bytes,
/// done)` for one range of the bytes after another, and therefore needs memory for one range only.
/// `done` is the fraction of all keys that have arrived. Every PE calls this function.
template <class Key, class Take>
task<> all_bring(std::span<const Key> mine, std::uint64_t keys, bool as_array, const Take& take) {
  constexpr std::uint64_t at_once = 1 << 18;
  const auto sizes = co_await all_gather(std::uint64_t{mine.size()});
  std::uint64_t done = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    const std::uint64_t size = sizes[static_cast<std::size_t>(pe)];
    for (std::uint64_t first = 0; first < size; first += at_once) {
      const std::uint64_t count = std::min(at_once, size - first);
      std::string bytes;
      if (pe == my_pe()) bytes = bytes_of_keys(mine.subspan(first, count), as_array);
      const auto pieces = co_await all_gather_to(0, std::span<const char>(bytes));
      done += count;
      if (my_pe() != 0) continue;
      const auto& piece = pieces[static_cast<std::size_t>(pe)];
      take({piece.data(), piece.size()}, static_cast<double>(done) / static_cast<double>(keys));
    }
  }
}

/// Sends all keys to PE 0, which writes them. If the file cannot be created, no key is sent. After
/// a later failure, PE 0 still receives all keys but writes no more. Returns the failure on every
/// PE. Every PE calls this function.
template <class Key>
task<std::optional<error>> all_write_through_first(std::span<const Key> mine, std::uint64_t keys,
                                                   const std::string& path,
                                                   const std::function<void(double)>& progress) {
  std::optional<keys_writer> output;
  std::optional<error> failure;
  if (my_pe() == 0) keep_failure(failure, [&] { output.emplace(path); });
  failure = co_await all_share_error(failure);
  if (failure) co_return failure;
  const auto take = [&](std::string_view bytes, double done) {
    keep_failure(failure, [&] { output->write(bytes); });
    if (progress) progress(done);
  };
  if (my_pe() == 0 && is_array(path))
    keep_failure(failure, [&] {
      output->write(graph::npy_head(keys, 1, sizeof(Key) == 4 ? "<u4" : "<u8"));
    });
  co_await all_bring(mine, keys, is_array(path), take);
  if (my_pe() == 0) keep_failure(failure, [&] { output->commit(); });
  co_return co_await all_share_error(failure);
}

constexpr memory::call_of_one k_write{"write", "all_write"};

}  // namespace

task<> global_keys::write(std::string path, progress_view progress, site where) const {
  const global_keys self = *this;
  self.check_order(where);
  check_keys_output(path);
  const memory::named_call call(k_write, where);
  const kernels::travelling_progress heard(progress);
  const auto on_each = [self, heard, named = tasks::own_pointer(&path),
                        from = my_pe()]() -> task<std::optional<error>> {
    const std::string name = my_pe() == from ? *named.get() : "";
    const std::string shared = co_await all_share_text(name, from);
    const auto teller = heard.teller("writing");
    co_return co_await self.on_width([&](const auto& all) {
      return all_write_through_first(all.parts->in_order(), self.size(), shared, teller);
    });
  };
  const auto failure = co_await from_all_pes(on_each, where);
  if (failure) throw error(*failure);
}

task<> global_keys::all_write(std::string path, progress_view progress, site where) const {
  const auto by_one = [self = *this, path = std::move(path), progress, where] {
    return self.write(path, progress, where);
  };
  return all_by_first(by_one, where);
}

}  // namespace atl
