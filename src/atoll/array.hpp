#pragma once
// Global arrays extend over all PEs. This header also has bulk transfers of consecutive elements,
// and updates by key. The page docs/explanation/memory-model.md says in which order the effects of
// these operations become visible.

#include "atoll/base/bits.hpp"
#include "atoll/loops.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/compact_call.hpp"
#include "atoll/message/common_part.hpp"
#include "atoll/task/own_addresses.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

namespace atl {

// A global array is one array over all PEs. The handle is a small trivially copyable value, which
// programs capture in closures and send.

/// An array of `size()` zero-initialised T over all PEs. Blocks of `block_size()` elements are
/// distributed round-robin to the PEs. Without a block size, each PE gets one block.
template <class T>
class global_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of global memory are trivially copyable");

 public:
  global_array() = default;
  global_array(std::uint64_t offset, std::uint64_t size, std::uint64_t block_size, int pes)
      : offset_(offset), size_(size), block_(block_size), pes_(static_cast<std::uint64_t>(pes)) {}

  /// A short form of the handle, for small messages. The number of PEs is left out, because the
  /// receiving PE belongs to the same job.
  struct shape {
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t block_size;
  };
  explicit global_array(const shape& of) : global_array(of.offset, of.size, of.block_size, pes()) {}
  shape compact() const { return {offset_, size_, block_size()}; }

  /// Returns the number of elements on all PEs together.
  std::uint64_t size() const { return size_; }
  /// Returns the number of elements per block.
  std::uint64_t block_size() const { return block_.divisor(); }

  /// Returns the address of element `i`. Any PE may call this function, which does not communicate.
  /// Throws atl::error (input) if the element does not exist.
  [[gnu::always_inline]] global_address<T> operator[](memory::element_index i) const {  // NOLINT
    const auto [pe, offset] = place_of(i.number, i.where);
    return {pe, offset};
  }

  /// An address in two parts: the PE, and the offset in bytes in the memory of that PE.
  struct place {
    int pe;
    std::uint64_t offset;
  };

  /// Returns the PE and the offset of element `i`. Does not communicate. Throws atl::error (input)
  /// if the element does not exist.
  [[gnu::always_inline]] place place_of(std::uint64_t i, site where = site::current()) const {
    if (i >= size_) [[unlikely]]
      memory::refuse_elements(i, 1, size_, where);
    const auto [block, within] = block_.split(i);
    if (block < pes_.divisor()) return {static_cast<int>(block), offset_ + within * sizeof(T)};
    const auto [row, pe] = pes_.split(block);
    return {static_cast<int>(pe), offset_ + (row * block_.divisor() + within) * sizeof(T)};
  }

  /// Calls `function(stretch_of)`. `stretch_of(i)` returns the number of the stretch of memory that
  /// contains element `i`, or -1 if there is no such element. The memory of each PE is divided into
  /// 2^`log2_stretches` stretches, and the stretches of PE 0 have the lowest numbers. `function` is
  /// compiled twice, because a faster `stretch_of` is used if each PE has one block whose size is a
  /// power of two.
  template <class Function>
  [[gnu::always_inline]] void with_stretch_of(unsigned log2_stretches,
                                              const Function& function) const {
    if (const auto power = block_.power();
        power && *power >= log2_stretches && has_one_block_a_pe()) {
      function([shift = *power - log2_stretches, size = size_](std::uint64_t i) __attribute__((
                   always_inline)) { return i < size ? static_cast<int>(i >> shift) : -1; });
    } else {
      const unsigned shift = ceil_log2(std::max<std::uint64_t>(1, bytes_a_pe())) - log2_stretches;
      function([array = *this, shift, log2_stretches](std::uint64_t i) {
        if (i >= array.size_) return -1;
        const auto [pe, offset] = array.place_of(i);
        if (log2_stretches == 0) return pe;
        return pe << log2_stretches | static_cast<int>((offset - array.offset_) >> shift);
      });
    }
  }

  /// Calls `function(element_at)`. `element_at(i)` returns element `i`, which must be an element of
  /// this PE. `function` is compiled twice, because a faster `element_at` is used if each PE has
  /// one block.
  template <class Function>
  void with_own_elements(const Function& function) const {
    const auto first = reinterpret_cast<std::uintptr_t>(&object_at<T>(offset_));
    if (has_one_block_a_pe()) {
      const std::uintptr_t zeroth = first - index_of_local(0) * sizeof(T);
      function([zeroth](std::uint64_t i) -> T& {
        return *reinterpret_cast<T*>(zeroth + i * sizeof(T));
      });
    } else {
      function([first, array = *this](std::uint64_t i) -> T& {
        return *reinterpret_cast<T*>(first + (array.place_of(i).offset - array.offset_));
      });
    }
  }

  /// Returns the elements of this PE, in ascending order of their indices. Does not communicate.
  /// Throws atl::error (input) if the array was destroyed, or outside of a job.
  std::span<T> local(site where = site::current()) const {
    const atl::pe& self = pe_of_job("local", where);
    const std::span<T> mine(self.memory == nullptr ? nullptr : &object_at<T>(offset_),
                            elements_of(self.rank));
    if (!mine.empty()) memory::check_access(self.rank, offset_, mine.size_bytes(), where);
    return mine;
  }

  /// Returns the index in the array of the k-th local element of this PE. Does not communicate.
  std::uint64_t index_of_local(std::uint64_t k) const {
    const auto [row, within] = block_.split(k);
    const auto block = row * pes_.divisor() + static_cast<std::uint64_t>(my_pe());
    return block * block_.divisor() + within;
  }

  /// Returns the number of elements that PE `pe` holds. Does not communicate.
  std::uint64_t elements_of(int pe) const {
    const std::uint64_t whole_blocks = size_ / block_.divisor();
    const auto rank = static_cast<std::uint64_t>(pe);
    const std::uint64_t rows = whole_blocks / pes_.divisor();
    const std::uint64_t rest = whole_blocks % pes_.divisor();
    const std::uint64_t blocks = rows + (rank < rest ? 1 : 0);
    return blocks * block_.divisor() + (rank == rest ? size_ % block_.divisor() : 0);
  }

  /// Returns the number of bytes that the array takes on each PE.
  std::uint64_t bytes_a_pe() const {
    return ceil_divide(ceil_divide(size_, block_.divisor()), pes_.divisor()) * block_.divisor() *
           sizeof(T);
  }

  /// Returns an object that can tell later whether the array still exists.
  memory::lifetime life() const { return memory::lifetime(offset_); }

  /// Frees the memory of the array on all PEs. One task calls this function once and waits. The
  /// array must not be used afterwards. Throws atl::error (input) if the array was destroyed
  /// before.
  task<> destroy(site where = site::current()) const {
    memory::check_destroyed_once(offset_, bytes_a_pe(), where);
    co_await memory::release_everywhere(offset_, bytes_a_pe(), where);
  }

 private:
  bool has_one_block_a_pe() const { return size_ <= block_.divisor() * pes_.divisor(); }

  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  fast_divisor block_;
  fast_divisor pes_;
};

/// Runs `function(element)` for element `i` on the PE that owns the element. The function has the
/// effect of `async_update` on the element's address, but does less work. Throws atl::error (input)
/// if the element does not exist. Also throws atl::error (overflow).
template <class T, class Function>
[[gnu::always_inline]] inline void async_update(const global_array<T>& array, std::uint64_t i,
                                                Function function, site where = site::current()) {
  const auto [owner, offset] = array.place_of(i, where);
  memory::check_access_in_debug(owner, offset, sizeof(T), where);
  memory::async_update_at<T>(owner, offset, function, where);
}

/// Options of `make_array`.
struct array_options {
  std::uint64_t block_size = 0;  ///< in elements; 0: one block per PE
  placement where = placement::owner_only;

  array_options() = default;
  array_options(placement where_) : where(where_) {}
  array_options(std::uint64_t block_size_, placement where_ = placement::owner_only)
      : block_size(block_size_), where(where_) {}
};

/// Makes an array of `size` elements over all PEs. One task calls this function and waits; PE 0
/// assigns the memory. If the job would exceed its memory limit, throws atl::error (out_of_memory)
/// before any memory is used.
template <class T>
task<global_array<T>> make_array(std::uint64_t size, array_options options = {},
                                 site where = site::current()) {
  const auto all = static_cast<std::uint64_t>(pes());
  const std::uint64_t block = options.block_size != 0
                                  ? options.block_size
                                  : std::max<std::uint64_t>(1, ceil_divide(size, all));
  const std::uint64_t rows = ceil_divide(ceil_divide(size, block), all);
  memory::check_addressable(rows, block, sizeof(T));
  const std::uint64_t bytes = rows * block * sizeof(T);
  const std::uint64_t offset = co_await memory::allocate_everywhere(bytes, options.where, where);
  co_return global_array<T>(offset, size, block, pes());
}

// Bulk transfers copy many consecutive objects at once, in messages as large as a network buffer.

namespace memory {

/// Sends `bytes` in pieces to `offset` on PE `pe`. The enclosing scope waits for the pieces.
task<> send_bytes(int pe, std::uint64_t offset, std::span<const std::byte> bytes, site where);

/// Requests the bytes at `offset` on PE `pe`, piece by piece. The enclosing scope waits for the
/// pieces.
task<> fetch_bytes(int pe, std::uint64_t offset, std::span<std::byte> bytes, site where);

/// Calls `transfer(address, part)` for each stretch of the elements that is consecutive on one PE.
template <class T, class Element, class Transfer>
task<> for_each_stretch(global_array<T> array, std::uint64_t first, std::span<Element> objects,
                        Transfer transfer, site where) {
  if (first > array.size() || objects.size() > array.size() - first)
    refuse_elements(first, objects.size(), array.size(), where);
  if (!objects.empty()) check_access(array[first].pe(), array[first].offset(), sizeof(T), where);
  for (std::uint64_t done = 0; done < objects.size();) {
    const std::uint64_t i = first + done;
    const std::uint64_t to_block_end = array.block_size() - i % array.block_size();
    const auto count = std::min<std::uint64_t>(objects.size() - done, to_block_end);
    co_await transfer(array[i], objects.subspan(done, count));
    done += count;
  }
}

}  // namespace memory

/// Copies `objects` to consecutive memory of one PE, from the address `to` on. Suspends the task
/// until the objects are stored. If the target elements do not lie within one global array on their
/// PE, throws atl::error (input) and copies nothing.
template <class T>
task<> put(global_address<T> to, std::span<const std::type_identity_t<T>> objects,
           site where = site::current()) {
  const std::uint64_t bytes = memory::bytes_of_count(objects.size(), sizeof(T), where);
  memory::check_access(to.pe(), to.offset(), bytes, where);
  const auto send = [&] {
    return memory::send_bytes(to.pe(), to.offset(), std::as_bytes(objects), where);
  };
  co_await finish(send, where);
}

/// Copies consecutive memory of one PE, from the address `from` on, into `objects`. Suspends the
/// task until all objects have arrived. If the source elements do not lie within one global array
/// on their PE, throws atl::error (input) and copies nothing.
template <class T>
task<> get(global_address<T> from, std::span<std::type_identity_t<T>> objects,
           site where = site::current()) {
  const std::uint64_t bytes = memory::bytes_of_count(objects.size(), sizeof(T), where);
  memory::check_access(from.pe(), from.offset(), bytes, where);
  const auto fetch = [&] {
    return memory::fetch_bytes(from.pe(), from.offset(), std::as_writable_bytes(objects), where);
  };
  co_await finish(fetch, where);
}

/// Copies `objects` to the elements from `first` on. The elements may lie on any PEs. Suspends the
/// task until all objects are stored. If the array has too few elements or was destroyed, throws
/// atl::error (input) and copies nothing.
template <class T>
task<> put(global_array<T> array, std::uint64_t first,
           std::span<const std::type_identity_t<T>> objects, site where = site::current()) {
  const auto all = [&] {
    return memory::for_each_stretch(
        array, first, objects,
        [where](auto to, auto part) {
          return memory::send_bytes(to.pe(), to.offset(), std::as_bytes(part), where);
        },
        where);
  };
  co_await finish(all, where);
}

/// Copies the elements from `first` on into `objects`. The elements may lie on any PEs. Suspends
/// the task until all elements have arrived. If the array has too few elements or was destroyed,
/// throws atl::error (input) and copies nothing.
template <class T>
task<> get(global_array<T> array, std::uint64_t first, std::span<std::type_identity_t<T>> objects,
           site where = site::current()) {
  const auto all = [&] {
    return memory::for_each_stretch(
        array, first, objects,
        [where](auto from, auto part) {
          return memory::fetch_bytes(from.pe(), from.offset(), std::as_writable_bytes(part), where);
        },
        where);
  };
  co_await finish(all, where);
}

// The next functions update one array by key. Functions of the program compute from a key which
// element is updated and what the update does. Each message contains only the key; the array and
// the functions are sent once per series of messages.

namespace memory {

/// Returns the base-2 logarithm of the number of stretches into which the memory of a PE is
/// divided. Updates are sorted by stretch into bins (message/bins.hpp). The value 0 means one
/// stretch and no bins, because a few bins do not help (decision 0016).
inline unsigned log2_stretches_of(std::uint64_t bytes_a_pe, int pes) {
  constexpr std::uint64_t k_stretch = std::uint64_t{1} << 20;  // bytes
  constexpr std::uint64_t k_least = 16;
  const std::uint64_t most = message::bins::k_most / static_cast<std::uint64_t>(pes);
  const std::uint64_t stretches = std::min(most, bytes_a_pe / k_stretch);
  return stretches < k_least ? 0 : floor_log2(stretches);
}

/// The array and the functions that all messages of a series of updates by key have in common.
template <class T, class Key, class Index, class Function>
struct update_by_key {
  using message = half_aligned<Key>;
  static constexpr std::uint64_t lines_touched = 1;

  typename global_array<T>::shape array;
  [[no_unique_address]] Index index;
  [[no_unique_address]] Function function;

  template <class ElementAt>
  struct executor {
    ElementAt element_at;
    [[no_unique_address]] Index index;
    [[no_unique_address]] Function function;

    void operator()(const message& key) const noexcept {
      function(element_at(index(key.get())), key.get());
    }
    [[gnu::always_inline]] void prefetch(const message& key) const {
      bring_near(&element_at(index(key.get())));
    }
  };

  /// A message that contains the function and the key, for updates that are sent alone.
  struct alone {
    static constexpr bool is_leaf = true;
    [[no_unique_address]] Function function;
    message key;

    void operator()(T& element) const noexcept { function(element, key.get()); }
  };

  template <class Walk>
  void on_this_pe(const Walk& walk) const {
    global_array<T>(array).with_own_elements([&](const auto& element_at) {
      walk(executor<std::decay_t<decltype(element_at)>>{element_at, index, function});
    });
  }
};

}  // namespace memory

/// Issues updates of the elements of an array by key. `updates_by_key` returns an object of this
/// class. The object should be a local variable of the task or function that issues the updates. Do
/// not copy the object or use it on another PE.
template <class T, class Key, class Index, class Function>
class keyed_updates {
  static_assert(message::bitwise_copyable<Key> && message::bitwise_copyable<Index> &&
                    message::bitwise_copyable<Function>,
                "what travels must be trivially copyable");
  static_assert(std::is_nothrow_invocable_r_v<std::uint64_t, const Index&, const Key&>,
                "the index of a key is a number, and its function noexcept");
  static_assert(std::is_nothrow_invocable_v<const Function&, T&, const Key&>,
                "a leaf function is noexcept");
  static_assert(!tasks::is_task<std::invoke_result_t<const Function&, T&, const Key&>>,
                "a leaf function is no coroutine");
  static_assert(std::is_copy_assignable_v<Key> && alignof(Key) <= message::k_unit &&
                    alignof(Index) <= message::k_unit && alignof(Function) <= message::k_unit,
                "a key can be assigned, and what travels needs 8 bytes of alignment at most");

 public:
  keyed_updates(const global_array<T>& array, const Index& index, const Function& function)
      : messages_(*this_pe().messages),
        array_(array),
        update_{array.compact(), index, function},
        common_(update_),
        log2_stretches_(
            messages_.aggregates() ? memory::log2_stretches_of(array.bytes_a_pe(), pes()) : 0) {}

  /// Calls `next()` `count` times, and issues one update for each returned key. Does not block. The
  /// enclosing scope waits for the updates. `next` may send messages but must not block. Throws
  /// atl::error (input) if a key's element does not exist. Also throws atl::error (overflow). If a
  /// key fails, the updates by all earlier keys have been issued.
  template <class Next>
  [[gnu::always_inline]] void issue(std::uint64_t count, Next&& next,
                                    site where = site::current()) {
    if (messages_.relays()) return issue_alone(count, next, where);
    const sender send(messages_, common_);
    if (log2_stretches_ != 0) {
      if (const auto binned = send.template in_bins<key_message>(log2_stretches_, where))
        return issue_by(*binned, count, next, where);
    }
    issue_by(send, count, next, where);
  }

  /// Issues one update by the key `key`. Does not block. The enclosing scope waits for the update.
  /// Throws atl::error (input) if the element of the key does not exist. Also throws atl::error
  /// (overflow).
  void issue(const Key& key, site where = site::current()) {
    issue(1, [&key] { return key; }, where);
  }

 private:
  using update = memory::update_by_key<T, Key, Index, Function>;
  using key_message = typename update::message;
  using sender = message::sender_in_common<message::traffic::tracked, update>;

  template <class Sender, class Next>
  [[gnu::always_inline]] void issue_by(const Sender& send, std::uint64_t count, Next& next,
                                       site where) const {
    array_.with_stretch_of(send.log2_stretches(),
                           [&, index = update_.index](const auto& stretch_of)
                               __attribute__((always_inline)) {
                                 while (count != 0) {
                                   Key key = next();
                                   while (send.append(stretch_of(index(key)), key_message(key))) {
                                     if (--count == 0) return;
                                     key = next();
                                   }
                                   issue_first(send, stretch_of(index(key)), key, where);
                                   --count;
                                 }
                               });
  }

  // This function for rare cases is not inlined, so that the code of the loop above stays small.
  template <class Sender>
  [[gnu::noinline]] void issue_first(const Sender& send, int stretch, Key key, site where) const {
    const auto [owner, offset] = array_.place_of(update_.index(key));
    memory::check_access_in_debug(owner, offset, sizeof(T), where);
    tasks::check_closure_in_debug(key, where);
    send.append_first(stretch, key_message(key), where);
  }

  // PEs that relay single messages do not know the array and the functions, so each message
  // contains the function.
  template <class Next>
  void issue_alone(std::uint64_t count, Next& next, site where) const {
    for (; count != 0; --count) {
      const Key key = next();
      tasks::check_closure_in_debug(key, where);
      const typename update::alone alone{update_.function, key_message(key)};
      async_update(array_, update_.index(key), alone, where);
    }
  }

  message::engine& messages_;
  global_array<T> array_;
  update update_;
  message::common_part<update> common_;
  unsigned log2_stretches_;
};

/// Makes an object that issues updates of `array` by keys of type `Key`. For each key,
/// `function(element, key)` runs on the owner of element `index(key)`, one update at a time. Any
/// task or handler may call this function, which does not block.
///
/// `index` and `function` must be trivially copyable and noexcept. `index` is called on the sending
/// and on the receiving PE, several times per key, and must always return the same result. Like a
/// `leaf` function, `function` may access only its element.
///
/// A message is one key, of at least 8 bytes. If more than 16 PEs are reached through one hop of
/// the route, messages are relayed one by one. In this case, each update is sent as an
/// `async_update`.
///
/// Updates have no order. Updates of a large array on few PEs are sorted into bins by the stretch
/// of memory that they touch. A bin is sent when it holds 2 KiB, when the PE is idle, or when its
/// updates are old (message/bins.hpp).
template <class Key, class T, class Index, class Function>
auto updates_by_key(const global_array<T>& array, const Index& index, const Function& function,
                    site where = site::current()) {
  tasks::check_closure_in_debug(index, where);
  tasks::check_closure_in_debug(function, where);
  return keyed_updates<T, Key, Index, Function>(array, index, function);
}

}  // namespace atl
