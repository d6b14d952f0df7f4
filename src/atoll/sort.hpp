#pragma once
// This header sorts global arrays by any order. The header also sorts integer keys, which are read
// from a file or made by a function.
//
// To sort an array, each PE sorts its own elements. The PEs then exchange a few elements to find
// the places at which the sorted order is divided, so that every PE gets exactly its share. Each
// element is sent once. Each PE merges the elements that it receives, and stores them in their
// place. All PEs therefore do the same amount of work, even if all elements are equal.

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
  bool stable = false;  ///< whether equal elements keep their order
};

/// Sorts the elements of `array` by `compare(a, b)`, which returns whether a comes before b.
/// `compare` must be a strict weak order and trivially copyable. By default, the order is
/// ascending; with std::greater<>, the order is descending. A NaN comes last. One task calls this
/// function and is suspended until all elements are in their places. Nothing else may use the array
/// during the call.
///
/// Each PE needs memory for about five copies of its elements. If PEs have several blocks each, a
/// stable sort needs 8 bytes more per element in each of the copies. Throws atl::error (input) if
/// the array was destroyed. An exception of `compare` ends the job.
template <class T, class Compare = std::less<>>
task<> sort(global_array<T> array, Compare compare = {}, sort_options options = {},
            site where = site::current()) {
  static constexpr memory::call_of_one k_sort{"sort", "all_sort"};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_sort, where);
  const memory::sorting<T, Compare> on_each{array, {compare}, options.stable};
  co_await together(on_each, where);
}

/// Sorts the elements of `array`, as `sort` does. Every PE must call this function with the same
/// arguments, after all PEs have written their elements. The task waits. Throws the errors of
/// `sort`.
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

// Integer keys are sorted by their digits, in a fraction of the time that comparisons need:
//
//   const auto keys = co_await atl::read_keys("ids.txt.gz");
//   co_await atl::sort(keys);
//   co_await keys.write("sorted.npy");
//   co_await keys.destroy();

/// Unsigned integers over all PEs. The keys are numbered in the order of their file or of their
/// making. A handle is a small trivially copyable value, which can be captured and sent. If the
/// keys were destroyed, functions that use them throw atl::error (input) with the line of the call.
///
/// After `sort`, the keys also have an ascending order. Before `sort`, functions that use this
/// order throw atl::error (input).
class global_keys {
 public:
  /// Returns the number of keys of all PEs.
  std::uint64_t size() const { return size_; }

  /// Returns the number b of bits per key: all keys are less than 2^b. Keys of at most 32 bits take
  /// 4 bytes each, and other keys take 8 bytes.
  unsigned bits() const { return bits_; }

  /// If this PE has the key with the number `index`, replaces that key by `key`. Returns whether
  /// this PE has the key. The replacement changes the ascending order only at the next sort. Does
  /// not communicate. Throws atl::error (input) if `key` has too many bits.
  bool local_replace(std::uint64_t index, std::uint64_t key, site where = site::current()) const;

  /// Returns the number of sorted keys that this PE has. The number is at most 33/32 of an equal
  /// share, plus 2. Does not communicate.
  std::uint64_t local_size(site where = site::current()) const;

  /// Calls `visit(rank, key)` for each sorted key of this PE. The keys ascend from PE to PE, and on
  /// each PE. The smallest key of all PEs has rank 0. Does not communicate.
  template <std::invocable<std::uint64_t, std::uint64_t> Visit>
  void for_each_local(Visit&& visit, site where = site::current()) const {
    std::uint64_t rank = first_rank(where);
    on_width([&](const auto& keys) {
      for (const std::uint64_t key : in_order(keys)) visit(rank++, key);
    });
  }

  /// Returns a new array of the sorted keys. One task calls this function and waits. Throws
  /// atl::error (out_of_memory).
  task<global_array<std::uint64_t>> to_array(site where = site::current()) const;

  /// Writes the sorted keys to a file. If the name ends with `.txt`, the file is a text with one
  /// key per line. If the name ends with `.npy`, the file is an array of NumPy, with keys of 32
  /// bits if these suffice and of 64 bits otherwise. If the name has the additional ending `.gz` or
  /// `.zst`, the file is compressed. The file is the same for any number of PEs. When the file is
  /// complete, it replaces an older one.
  ///
  /// One task calls this function and waits; PE 0 writes the file. If PE 0 calls this function,
  /// `progress` is called with "writing". Throws the errors of `check_keys_output`. Throws
  /// atl::error (input) if the file cannot be created. Throws atl::error (environment) if the disk
  /// is full.
  task<> write(std::string path, progress_view progress = {}, site where = site::current()) const;

  /// Frees the memory of the keys on all PEs. One task calls this function once and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns a new array of the sorted keys, as `to_array` does. Every PE must call this function,
  /// and waits. All PEs get the same array.
  task<global_array<std::uint64_t>> all_to_array(site where = site::current()) const;
  /// Writes the sorted keys to a file, as `write` does. Every PE must call this function with the
  /// same path, and waits. Throws the errors of `write`.
  task<> all_write(std::string path, progress_view progress = {},
                   site where = site::current()) const;
  /// Frees the memory of the keys on all PEs. Every PE must call this function, and waits.
  task<> all_destroy(site where = site::current()) const;

  /// Makes memory for keys. Programs call `read_keys` or `make_keys` instead. One task calls this
  /// function and waits. Throws the errors of `make_keys`.
  static task<global_keys> make(std::uint64_t size, unsigned bits, site where);

  /// Throws atl::error (input) if the keys were destroyed, or the handle is empty.
  void check(site where) const { life_.check("the array of keys", where); }

  /// Throws the errors of `check`, and atl::error (input) if the keys have not been sorted.
  void check_order(site where) const { static_cast<void>(local_size(where)); }

  /// Calls `function(keys)` with the handle for keys of 32 bits or of 64 bits, whichever is in use.
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
  /// The name of the file to read, if PEs cannot open `path` or can open it only once, as with
  /// /dev/stdin. Errors name `path`. An empty text means that `path` is read.
  std::string_view content = "";
  /// This function is called with "reading", and then with "making the keys".
  progress_view progress = {};
  /// This function is called when the file has been read, before memory for sorting is allocated.
  /// The arguments are the number of keys and the number of bits of the largest key. An exception
  /// of the function leaves `read_keys`.
  listener<std::uint64_t, unsigned> look = {};
};

/// Reads the keys of a file, of which every PE reads a part. The first bytes of the file tell
/// whether it is a text or an array of NumPy. A text may be compressed as `.gz` or `.zst`. A text
/// has an integer from 0 to 2^64 - 1 in each line; blank lines and lines that begin with # are
/// skipped. An array has one dimension, and integers of 32 or 64 bits. One task calls this function
/// and waits. If the file is invalid, throws atl::error (input), which names the place in the file.
/// Throws atl::error (out_of_memory) if memory is exhausted.
task<global_keys> read_keys(std::string path, key_file_options options = {},
                            site where = site::current());

/// Reads the keys of a file, as `read_keys` does. Every PE must call this function, and waits. The
/// function uses the arguments of PE 0, and all PEs get the same keys. Throws the errors of
/// `read_keys`.
task<global_keys> all_read_keys(std::string path, key_file_options options = {},
                                site where = site::current());

/// A function that makes keys. `make(first)` returns a function object, whose calls return the keys
/// with the numbers `first`, `first` + 1, and so on.
template <class Make>
concept key_maker =
    std::convertible_to<std::invoke_result_t<std::invoke_result_t<const Make&, std::uint64_t>&>,
                        std::uint64_t>;

/// Makes `size` keys below 2^bits. Each PE calls `make` for its equal share of the keys. `make`
/// must be trivially copyable. One task calls this function and waits. Throws atl::error (input) if
/// `bits` is not from 1 to 64, or if a key has more bits. Also throws atl::error (out_of_memory).
template <key_maker Make>
task<global_keys> make_keys(std::uint64_t size, unsigned bits, Make make,
                            site where = site::current());

/// Makes keys, as `make_keys` does. Every PE must call this function with the same arguments, and
/// waits. All PEs get the same keys. Throws the errors of `make_keys`.
template <key_maker Make>
task<global_keys> all_make_keys(std::uint64_t size, unsigned bits, Make make,
                                site where = site::current()) {
  return all_by_first([=] { return make_keys(size, bits, make, where); }, where);
}

/// Sorts keys. The PEs count keys by their highest bits, and divide the keys nearly equally, even
/// if all keys are the same. Each key moves once to its PE, which sorts its keys by their lower
/// bits. The keys also stay available in their first order. One task calls this function and waits.
/// If a PE has 2^32 keys with the same highest bits for other nodes, the job ends with atl::error
/// (input).
task<> sort(global_keys keys, site where = site::current());

/// Sorts keys, as `sort` does. Every PE must call this function, and waits.
task<> all_sort(global_keys keys, site where = site::current());

/// Returns the ranks of the keys with the numbers `indices`. The rank of a key is the number of
/// keys of all PEs that are smaller. One PE gets the rank of a key, and the other PEs get nothing
/// for it. If a PE has enough memory for one counter per value in its range of keys, keys are only
/// counted; otherwise, keys are sorted. Every PE must call this function with the same numbers, and
/// waits. Throws atl::error (input) if a key does not exist.
task<std::vector<std::optional<std::uint64_t>>>
all_rank(global_keys keys, std::span<const std::uint64_t> indices, site where = site::current());

/// Checks that the keys are sorted, and that they are the keys of the file. PE 0 reads the file
/// once more, and compares the number of keys and two sums of their hashes. One task calls this
/// function and waits. Throws atl::error (wrong_result), and the errors of `read_keys`.
task<> verify(global_keys keys, std::string path, key_file_options options = {},
              site where = site::current());

/// Checks that the keys are sorted, and that they are the keys of `make`, which each PE calls for
/// its equal share. One task calls this function and waits. Throws atl::error (wrong_result).
template <key_maker Make>
task<> verify(global_keys keys, Make make, site where = site::current());

/// Compares keys with a file, as `verify` does. Every PE must call this function with the same
/// arguments, and waits. Throws the errors of `verify`.
task<> all_verify(global_keys keys, std::string path, key_file_options options = {},
                  site where = site::current());
/// Compares keys with those of a function, as `verify` does. Every PE must call this function with
/// the same arguments, and waits. Throws the errors of `verify`.
template <key_maker Make>
task<> all_verify(global_keys keys, Make make, site where = site::current()) {
  return all_by_first([=] { return verify(keys, make, where); }, where);
}

/// Throws atl::error (input) if the name of a file does not say how to write keys: as `.txt` or as
/// `.npy`.
void check_keys_output(const std::string& path);

/// The numbers from which `bytes_to_sort` estimates the memory that sorting needs.
struct key_demand {
  std::uint64_t keys = 0;
  unsigned bits = 1;
  std::uint64_t pes = 1;
  bool of_file = false;     ///< whether keys are read from a file
  bool ranks = false;       ///< whether `all_rank` is called
  bool over_nodes = false;  ///< whether PEs are on several nodes
};

/// Returns the peak memory, in bytes for all PEs together, of reading or making the keys and
/// sorting them.
double bytes_to_sort(const key_demand& demand);

}  // namespace atl

#include "atoll/kernels/sort/made_keys.hpp"
