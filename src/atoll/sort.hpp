#pragma once
// Sorting: of a global array by any order, and of integer keys, which are read from files or made.
//
// To sort an array, each PE sorts its own elements. The PEs then exchange a few elements to
// find where to cut, so that every PE gets exactly its share. Each element is sent once; each PE
// merges what it receives and stores it in its place. The work of all PEs is therefore the same for
// any elements, even if all are equal.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/kernels/sort/keys_of_all.hpp"
#include "atoll/log.hpp"
#include "atoll/memory/sort_steps.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl {

/// Options of `sort` for an array.
struct sort_options {
  bool stable = false;  ///< equal elements keep their order
};

/// Sorts the elements by `compare(a, b)`, which returns whether a comes before b: a strict weak
/// order, trivially copyable. By default numbers ascend; with std::greater<> they descend. NaN
/// comes last. One task calls it and is suspended until all elements are in their places. Nothing
/// else may use the array meanwhile.
///
/// Each PE needs memory for about five times its elements. A stable sort of an array in blocks
/// dealt round-robin also needs 8 bytes per element in each of these copies. Throws atl::error
/// (input) if the array was destroyed. An exception of `compare` ends the job.
template <class T, class Compare = std::less<>>
task<> sort(global_array<T> array, Compare compare = {}, sort_options options = {},
            site where = site::current()) {
  static constexpr memory::call_of_one k_sort{"sort", "all_sort"};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_sort, where);
  const memory::sorting<T, Compare> on_each{array, {compare}, options.stable};
  co_await together(on_each, where);
}

/// Sorts the elements, as `sort` does. Every PE calls it with the same arguments, after all have
/// written their elements, and waits. Throws as `sort`.
template <class T, class Compare = std::less<>>
task<> all_sort(global_array<T> array, Compare compare = {}, sort_options options = {},
                site where = site::current()) {
  static constexpr memory::call_of_one k_all_sort{"all_sort", nullptr};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_all_sort, where);
  using sorting = memory::sorting<T, Compare>;
  const sorting on_this{array, {compare}, options.stable};
  const auto begin = [](const void* own) { return (*static_cast<const sorting*>(own))(); };
  co_await memory::ending_the_job(begin, &on_this, memory::call_here(where));
}

// Integer keys. They are sorted by their digits, in a fraction of the time of comparisons:
//
//   const auto keys = co_await atl::read_keys("ids.txt.gz");
//   co_await atl::sort(keys);
//   co_await keys.write("sorted.npy");
//   co_await keys.destroy();

/// Unsigned integers over all PEs. They have numbers, in the order of their file or of their
/// making; after a sort they are in ascending order, too. A small trivially copyable value to
/// capture and send. Functions that use the keys throw atl::error (input), with the line of the
/// call, if they were destroyed. The order is there after `sort`; before it, functions that use it
/// throw likewise.
class global_keys {
 public:
  /// Returns the number of keys of all PEs.
  std::uint64_t size() const { return size_; }

  /// Returns a number of bits for which all keys are less than 2^bits. Keys of at most 32 bits take
  /// 4 bytes each, others 8.
  unsigned bits() const { return bits_; }

  /// Replaces key number `index` by `key` if this PE has it, and returns whether it does. The order
  /// changes with the next sort. Does not communicate. Throws atl::error (input) if the key has too
  /// many bits.
  bool local_replace(std::uint64_t index, std::uint64_t key, site where = site::current()) const;

  /// Returns the number of keys that this PE has in order: at most its equal share, a thirty-second
  /// of that, and two more. Does not communicate.
  std::uint64_t local_size(site where = site::current()) const;

  /// Calls `visit(rank, key)` for each key that this PE has in order. All PEs, one after the other,
  /// have all keys in ascending order; the first key of all has rank 0. Does not communicate.
  template <std::invocable<std::uint64_t, std::uint64_t> Visit>
  void for_each_local(Visit&& visit, site where = site::current()) const {
    std::uint64_t rank = first_rank(where);
    on_width([&](const auto& keys) {
      for (const std::uint64_t key : in_order(keys)) visit(rank++, key);
    });
  }

  /// Returns a new array of the keys in order. One task calls it and waits. Throws atl::error
  /// (out_of_memory).
  task<global_array<std::uint64_t>> to_array(site where = site::current()) const;

  /// Writes the keys in order to a file, also as `.gz` or `.zst`. A `.txt` has a key in each line;
  /// a
  /// `.npy` has keys of 32 bits if these suffice, and of 64 otherwise. The file is the same for any
  /// number of PEs, and replaces an older one when it is complete. If PE 0 calls, `progress` hears
  /// of "writing". One task calls it and waits; PE 0 writes the file. Throws atl::error: input as
  /// `check_keys_output`, and if the file cannot be created; environment if the disk is full.
  task<> write(std::string path, progress_view progress = {}, site where = site::current()) const;

  /// Frees the memory of the keys on all PEs. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns a new array, as `to_array` does. Every PE calls it and waits; all get the same.
  task<global_array<std::uint64_t>> all_to_array(site where = site::current()) const;
  /// Writes the file of `write`. Every PE calls it with the same path and waits. Throws as `write`.
  task<> all_write(std::string path, progress_view progress = {},
                   site where = site::current()) const;
  /// Frees the memory of the keys on all PEs. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;

  /// Makes room for keys; programs call `read_keys` or `make_keys`. One task calls it and waits.
  /// Throws as `make_keys`.
  static task<global_keys> make(std::uint64_t size, unsigned bits, site where);

  /// Throws atl::error (input) if the keys were destroyed, or the handle is empty.
  void check(site where) const { life_.check("the array of keys", where); }

  /// Throws atl::error (input) as `check`, and unless the keys are in order.
  void check_order(site where) const { static_cast<void>(local_size(where)); }

  /// Calls `function(keys)` with the handle for the width of the keys in memory.
  template <class Function>
  auto on_width(Function&& function) const {
    return bits_ <= 32 ? function(narrow_) : function(wide_);
  }

 private:
  std::uint64_t first_rank(site where) const;
  static std::span<const std::uint32_t> in_order(const kernels::sort::keys_of_all<std::uint32_t>&);
  static std::span<const std::uint64_t> in_order(const kernels::sort::keys_of_all<std::uint64_t>&);

  kernels::sort::keys_of_all<std::uint32_t> narrow_;  // made if 32 bits suffice
  kernels::sort::keys_of_all<std::uint64_t> wide_;    // made otherwise
  memory::lifetime life_;
  std::uint64_t size_ = 0;
  unsigned bits_ = 1;
};

/// Options of `read_keys` and of `verify` for a file.
struct key_file_options {
  /// Where the content of the file is, if PEs cannot open its name, such as /dev/stdin, or not
  /// twice; errors give the name. "": the content is there.
  std::string_view content = "";
  /// Hears of "reading", and "making the keys".
  progress_view progress = {};
  /// Called when the file is read, with the number of keys and the bits of the largest, before
  /// memory to sort them is allocated. An exception of it leaves `read_keys`.
  listener<std::uint64_t, unsigned> look = {};
};

/// Reads the keys of a file; every PE reads a part. The file is a text, also as `.gz` or `.zst`, or
/// an array of NumPy; its first bytes tell which. A text has an integer from 0 to 2^64 - 1 in each
/// line. An array has one dimension, and integers of 32 or 64 bits. In a text, blank lines and
/// those that begin with # are skipped. One task calls it and waits. Throws atl::error: input, with
/// the file and the place in it; out_of_memory.
task<global_keys> read_keys(std::string path, key_file_options options = {},
                            site where = site::current());

/// Reads the keys of a file. Every PE calls it and waits; the arguments of PE 0 count, and all get
/// the same keys. Throws as `read_keys`.
task<global_keys> all_read_keys(std::string path, key_file_options options = {},
                                site where = site::current());

/// A function that makes keys: `make(first)` returns a function object whose calls return keys
/// number `first`, `first` + 1, and so on.
template <class Make>
concept key_maker =
    std::convertible_to<std::invoke_result_t<std::invoke_result_t<const Make&, std::uint64_t>&>,
                        std::uint64_t>;

/// Makes `size` keys below 2^bits. Each PE calls `make`, which is trivially copyable, for its equal
/// share. One task calls it and waits. Throws atl::error: input if `bits` is not 1 to 64, or a key
/// has more; out_of_memory.
template <key_maker Make>
task<global_keys> make_keys(std::uint64_t size, unsigned bits, Make make,
                            site where = site::current());

/// Makes keys, as `make_keys` does. Every PE calls it with the same arguments and waits; all get
/// the same keys. Throws as `make_keys`.
template <key_maker Make>
task<global_keys> all_make_keys(std::uint64_t size, unsigned bits, Make make,
                                site where = site::current()) {
  return all_by_first([=] { return make_keys(size, bits, make, where); }, where);
}

/// Sorts keys. PEs count keys by their highest bits, and so divide them nearly equally, even if all
/// are the same. Each key moves once, to its PE, which sorts its keys by their lower bits. The keys
/// in their first order stay. One task calls it and waits. If a PE has 2^32 keys of the same
/// highest bits for other nodes, the job ends with atl::error (input).
task<> sort(global_keys keys, site where = site::current());

/// Sorts keys, as `sort` does. Every PE calls it and waits.
task<> all_sort(global_keys keys, site where = site::current());

/// Ranks all keys without bringing them in order, where memory suffices for a counter of each value
/// of a PE; sorts them otherwise. Returns the ranks of the keys with the numbers `indices`: how
/// many keys of all PEs are smaller. Each rank is known to one PE and nothing on the others. Every
/// PE calls it with the same numbers, and waits. Throws atl::error (input) if there is no such key.
task<std::vector<std::optional<std::uint64_t>>>
all_rank(global_keys keys, std::span<const std::uint64_t> indices, site where = site::current());

/// Checks that the keys are in order, and that they are those of the file. PE 0 reads the file once
/// more, and compares the number of keys and two sums of their hashes. One task calls it and waits.
/// Throws atl::error: wrong_result; as `read_keys`.
task<> verify(global_keys keys, std::string path, key_file_options options = {},
              site where = site::current());

/// Checks that the keys are in order, and that they are those of `make`, which each PE calls for
/// its equal share. One task calls it and waits. Throws atl::error (wrong_result).
template <key_maker Make>
task<> verify(global_keys keys, Make make, site where = site::current());

/// Checks keys by a file, as `verify` does. Every PE calls it with the same arguments and waits.
/// Throws as `verify`.
task<> all_verify(global_keys keys, std::string path, key_file_options options = {},
                  site where = site::current());
/// Checks keys by a function, as `verify` does. Every PE calls it with the same arguments and
/// waits. Throws as `verify`.
template <key_maker Make>
task<> all_verify(global_keys keys, Make make, site where = site::current()) {
  return all_by_first([=] { return verify(keys, make, where); }, where);
}

/// Throws atl::error (input) unless the name of a file says how keys are written to it.
void check_keys_output(const std::string& path);

/// The inputs of an estimate of the memory for sorting.
struct key_demand {
  std::uint64_t keys = 0;
  unsigned bits = 1;
  std::uint64_t pes = 1;
  bool of_file = false;     ///< keys are read from a file
  bool ranks = false;       ///< `all_rank` is called
  bool over_nodes = false;  ///< PEs are on several nodes
};

/// Returns the peak memory, in bytes of all PEs, of reading or making the keys and sorting them.
double bytes_to_sort(const key_demand& demand);

}  // namespace atl

#include "atoll/kernels/sort/made_keys.hpp"
