#pragma once
// Bulk transfers: many consecutive objects at once, in messages as large as a network buffer.

#include "atoll/memory/global_array.hpp"

namespace atl {
namespace memory {

/// Sends the bytes in pieces to `offset` on `pe`; counted by the enclosing scope.
task<> send_bytes(int pe, std::uint64_t offset, std::span<const std::byte> bytes, site where);

/// Asks `pe` for the bytes at `offset`, piece by piece; counted by the enclosing scope.
task<> fetch_bytes(int pe, std::uint64_t offset, std::span<std::byte> bytes, site where);

/// Calls `transfer(address, part)` for each stretch of the array that lies on one PE.
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

/// Copies `objects` to the memory at `to` and beyond, on one PE, and waits until they are there.
/// Throws atl::error (input), and copies nothing, where they would not lie in the memory that each
/// PE has for one global array.
template <class T>
task<> put(global_address<T> to, std::span<const std::type_identity_t<T>> objects,
           site where = site::current()) {
  memory::check_access(to.pe(), to.offset(), objects.size_bytes(), where);
  const auto send = [&] {
    return memory::send_bytes(to.pe(), to.offset(), std::as_bytes(objects), where);
  };
  co_await finish(send, where);
}

/// Copies the memory at `from` and beyond, on one PE, into `objects`. Throws as `put`.
template <class T>
task<> get(global_address<T> from, std::span<std::type_identity_t<T>> objects,
           site where = site::current()) {
  memory::check_access(from.pe(), from.offset(), objects.size_bytes(), where);
  const auto fetch = [&] {
    return memory::fetch_bytes(from.pe(), from.offset(), std::as_writable_bytes(objects), where);
  };
  co_await finish(fetch, where);
}

/// Copies `objects` to the elements `first` and beyond, whatever PEs hold them. Throws atl::error
/// (input), and copies nothing, where there are not as many, or the array was destroyed.
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

/// Copies the elements `first` and beyond into `objects`. Throws as `put`.
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

}  // namespace atl
