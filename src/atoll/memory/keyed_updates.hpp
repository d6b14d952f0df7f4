#pragma once
// Many updates of one array, each by a key that says which element and how: a message is the key
// alone, for array and functions travel once in each run of messages.

#include "atoll/memory/global_array.hpp"
#include "atoll/memory/near_object.hpp"
#include "atoll/message/common_part.hpp"
#include "atoll/task/own_addresses.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace atl {

namespace memory {

/// The logarithm of the number of stretches of the memory of each PE that updates of an array wait
/// for in bins (message/bins.hpp); 0: for none. Few bins do not help (decision 0016).
inline unsigned log2_stretches_of(std::uint64_t bytes_a_pe, int pes) {
  constexpr std::uint64_t k_stretch = std::uint64_t{1} << 20;  // bytes
  constexpr std::uint64_t k_least = 16;
  const std::uint64_t most = message::bins::k_most / static_cast<std::uint64_t>(pes);
  const std::uint64_t stretches = std::min(most, bytes_a_pe / k_stretch);
  return stretches < k_least ? 0 : floor_log2(stretches);
}

/// What the updates of an array by keys have in common.
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

  /// An update that says all itself.
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

/// Updates elements of an array by keys; made by `updates_by_key`. A variable of the task or
/// function that issues the updates: it is not copied, and belongs to its PE.
template <class T, class Key, class Index, class Function>
class keyed_updates {
  static_assert(message::travels<Key> && message::travels<Index> && message::travels<Function>,
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

  /// Updates by the keys that `count` calls of `next()` return, in few steps each. Counted by the
  /// enclosing scope, whose end waits for them. Does not block, nor may `next`, which may send
  /// messages. Throws atl::error (input) where there is no such element, and (overflow): what came
  /// before that key is issued.
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

  /// The same by one key.
  void issue(const Key& key, site where = site::current()) {
    issue(1, [&key] { return key; }, where);
  }

 private:
  using update = memory::update_by_key<T, Key, Index, Function>;
  using key_message = typename update::message;
  using sender = message::engine::sender_in_common<message::traffic::tracked, update>;

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

  // Apart from the loop, which so calls nothing.
  template <class Sender>
  [[gnu::noinline]] void issue_first(const Sender& send, int stretch, Key key, site where) const {
    const auto [owner, offset] = array_.place_of(update_.index(key));
    memory::check_access_in_debug(owner, offset, sizeof(T), where);
    tasks::check_closure_in_debug(key, where);
    send.append_first(stretch, key_message(key), where);
  }

  // Relays know only messages that say all themselves.
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

/// For updates of `array` by keys of type `Key`: `function(element, key)` runs on the owner of
/// element `index(key)`, one at a time. Both functions travel and are noexcept; `index` is called
/// on both PEs, several times a key, and gives the same; `function` does nothing but touch the
/// element, as a `leaf`. Any task or handler may call it. A message is a key, of 8 bytes at least;
/// where this PE's messages for some are relayed one by one (more than 16 PEs behind a hop), all
/// are async_updates. Updates are not in order: those of large arrays on few PEs leave by the
/// stretch of memory they touch, when there are 2 KiB of them for it, the PE is idle, or they are
/// old (message/bins.hpp).
template <class Key, class T, class Index, class Function>
auto updates_by_key(const global_array<T>& array, const Index& index, const Function& function,
                    site where = site::current()) {
  tasks::check_closure_in_debug(index, where);
  tasks::check_closure_in_debug(function, where);
  return keyed_updates<T, Key, Index, Function>(array, index, function);
}

}  // namespace atl
