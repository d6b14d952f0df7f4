#pragma once
// This file transfers elements between two parts of instances with equal extents. The two parts may
// have different layouts and lie on different PEs. The template parameter `Store` defines what
// happens at the target: elements are overwritten, or combined with the old elements by a
// reduction.
//
// A transfer is divided into pieces. Each piece lies in one block of the source and in one block of
// the target, and one PE moves the piece. If a PE can access both blocks of a piece directly and is
// allowed to store into the target, the PE copies the piece in memory. If no PE can copy the piece
// in memory, the owner of the source block sends the piece in messages.

#include "atoll/delegates.hpp"
#include "atoll/event/messages.hpp"
#include "atoll/region/block_grid.hpp"
#include "atoll/region/region_part.hpp"
#include "atoll/work.hpp"

#include <cstring>

namespace atl::regions {

/// A `Store` that overwrites elements of `bytes` bytes.
struct storing {
  /// True if a PE other than the owner of the target may store the elements.
  static constexpr bool reaches_others = true;

  std::uint32_t bytes;
  amount whole;

  std::size_t source_bytes() const { return bytes; }
  void operator()(const strided& to, const strided& from, const extents& extent) const {
    copy_strided(to, from, extent, bytes, whole);
  }
};

// Written data of at least this many bytes leave the second-level cache before the program reads
// them.
inline constexpr std::uint64_t k_large_bytes = std::uint64_t{4} << 20;

template <class T, std::size_t N>
storing storing_of(const field_part<N>& to) {
  const bool is_large = to.points.volume() * sizeof(T) >= k_large_bytes;
  return {sizeof(T), is_large ? amount::large : amount::cached};
}

/// Throws atl::error (input), because the two parts of a copy have different extents.
/// `refuse_overlap` throws atl::error (input), because the two parts overlap.
[[noreturn]] void refuse_extents(const extents& to, const extents& from, std::size_t dimensions);
[[noreturn]] void refuse_overlap();

template <std::size_t N>
void check_both(const field_part<N>& to, const field_part<N>& from) {
  if (to.extents() != from.extents())
    refuse_extents(padded(to.extents()), padded(from.extents()), N);
  if (to.field.instance == from.field.instance && to.field.begin == from.field.begin &&
      !intersection(to.points, from.points).empty())
    refuse_overlap();
}

/// A message whose payload is elements. The receiver stores the elements by `store` at the offset
/// `place` in its memory of an instance.
template <class Store>
struct stored_slice {
  events::name instance;
  std::uint64_t place;
  std::array<std::int64_t, 3> step;
  extents extent;
  Store store;
  transport::travelling_site where;

  void operator()(std::span<const std::byte> elements) const {
    std::byte* const memory = instance_table::here().memory_of(instance, my_pe(), where);
    const auto bytes = static_cast<std::int64_t>(store.source_bytes());
    const strided dense{const_cast<std::byte*>(elements.data()),
                        {extent[1] * extent[2] * bytes, extent[2] * bytes, bytes}};
    charge(work::byte_copied, elements.size());
    store(strided{memory + place, step}, dense, extent);
  }
};

/// A piece of a transfer: elements that one PE moves. The elements `points` lie in one block of the
/// source and in one block of the target.
template <std::size_t N, class Store>
struct piece {
  field_part<N> to;
  field_part<N> from;
  rectangle<N> points;
  Store store;

  int source() const { return from.owner_of(points); }
  int target() const { return to.owner_of(points); }

  /// Returns the PE that moves the piece: the owner of the source or the owner of the target.
  int mover() const {
    if (!share_memory(source(), target())) return source();
    if (Store::reaches_others && to.field.memory == placement::symmetric) return source();
    return from.field.memory == placement::symmetric ? target() : source();
  }
};

// Largest number of bytes that are moved without a pause for other tasks. Moving a slice of this
// size takes about a hundred microseconds.
inline constexpr std::uint64_t k_slice_bytes = std::uint64_t{2} << 20;

template <std::size_t N, class Store>
task<> move_in_memory(piece<N, Store> moved, site where) {
  auto& instances = instance_table::here();
  const slices<N> parts(moved.points, k_slice_bytes / moved.store.source_bytes());
  for (std::uint64_t k = 0; k < parts.size(); ++k) {
    const rectangle<N> points = parts[k];
    std::byte* const to = instances.memory_of(moved.to.field.instance, moved.target(), where);
    std::byte* const from = instances.memory_of(moved.from.field.instance, moved.source(), where);
    charge(work::byte_copied, points.volume() * moved.store.source_bytes());
    moved.store(moved.to.in_memory(points, to), moved.from.in_memory(points, from),
                all_extents(points));
    if (parts.size() > 1) co_await yield(where);
  }
}

/// Returns the elements as contiguous bytes. Elements that are not contiguous in memory are first
/// copied to `room`.
inline std::span<const std::byte> dense_elements(const strided& from, const extents& extent,
                                                 std::size_t bytes, std::span<std::byte> room) {
  const auto volume = static_cast<std::size_t>(extent[0] * extent[1] * extent[2]);
  if (is_dense(from, extent, bytes)) return {from.at, volume * bytes};
  const auto step = static_cast<std::int64_t>(bytes);
  copy_strided({room.data(), {extent[1] * extent[2] * step, extent[2] * step, step}}, from, extent,
               bytes);
  return room.first(volume * bytes);
}

template <std::size_t N, class Store>
task<> move_by_messages(piece<N, Store> moved, site where) {
  auto& messages = *this_pe().messages;
  const int target = moved.target();
  const std::size_t bytes = moved.store.source_bytes();
  memory::check_payload<stored_slice<Store>>(bytes, where);
  std::vector<std::byte> packed(std::min<std::uint64_t>(
      messages.payload_capacity<stored_slice<Store>>(), product(moved.points.volume(), bytes)));
  const slices<N> parts(moved.points, packed.size() / bytes);
  for (std::uint64_t k = 0; k < parts.size(); ++k) {
    const rectangle<N> points = parts[k];
    const extents extent = all_extents(points);
    const stored_slice<Store> message{moved.to.field.instance,
                                      moved.to.place_of(points),
                                      moved.to.steps(),
                                      extent,
                                      moved.store,
                                      where};
    std::byte* const memory =
        instance_table::here().memory_of(moved.from.field.instance, my_pe(), where);
    messages.send_with<message::traffic::tracked>(
        target, message,
        dense_elements(moved.from.in_memory(points, memory), extent, bytes, packed), where);
    co_await room(where);
  }
}

template <std::size_t N, class Store>
task<> move_piece(piece<N, Store> moved, site where) {
  const bool is_direct = is_within_reach(moved.from.field, moved.source()) &&
                         is_within_reach(moved.to.field, moved.target()) &&
                         (Store::reaches_others || moved.target() == my_pe());
  if (is_direct) return move_in_memory(moved, where);
  return move_by_messages(moved, where);
}

/// Divides a transfer into pieces, and starts the move of each piece on the PE `piece::mover`.
template <std::size_t N, class Store>
task<> ask_movers(field_part<N> to, field_part<N> from, Store store, site where) {
  std::vector<rectangle<N>> pieces;
  to.for_each_block(rectangle_of(to.extents()), [&](const rectangle<N>& in_one) {
    from.for_each_block(in_one, [&](const rectangle<N>& in_both) { pieces.push_back(in_both); });
  });
  for (const rectangle<N>& points : pieces) {
    const piece<N, Store> moved{to, from, points, store};
    const auto move = [moved, place = transport::travelling_site(where)] {
      return move_piece(moved, place);
    };
    async_call(moved.mover(), move, where);
    co_await room(where);
  }
}

/// Marks the contents of an instance as invalid, because an operation on it has failed halfway.
/// Later accesses throw `failure`. The instance is marked on PE `known_to`, or on all PEs if
/// `known_to` is -1.
void poison_instance(events::name instance, int known_to, const std::exception_ptr& failure,
                     site where);

/// Calls `write`, which writes into an instance, and waits until the write is complete. If the
/// write fails, marks the contents of the instance as invalid and rethrows the failure.
template <std::size_t N, class Write>
task<> write_or_poison(field_layout<N> field, Write write, site where) {
  std::exception_ptr failure;
  try {
    co_await finish(write, where);
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return;
  const auto poison = [&] { poison_instance(field.instance, field.known_to(), failure, where); };
  co_await finish(poison, where);
  std::rethrow_exception(failure);
}

template <std::size_t N, class Store>
task<> transfer(field_part<N> to, field_part<N> from, Store store, site where) {
  const auto move_all = [&] { return ask_movers(to, from, store, where); };
  co_await write_or_poison(to.field, move_all, where);
}

/// Stores `value` in the elements `points`, which must lie in one block of this PE.
template <std::size_t N, class T>
task<> fill_block(field_part<N> to, rectangle<N> points, T value, site where) {
  const slices<N> parts(points, k_slice_bytes / sizeof(T));
  for (std::uint64_t k = 0; k < parts.size(); ++k) {
    std::byte* const memory = instance_table::here().memory_of(to.field.instance, my_pe(), where);
    charge(work::byte_copied, parts[k].volume() * sizeof(T));
    fill_strided(to.in_memory(parts[k], memory), all_extents(parts[k]),
                 reinterpret_cast<const std::byte*>(&value), sizeof(T));
    if (parts.size() > 1) co_await yield(where);
  }
}

template <std::size_t N, class T>
task<> ask_owners_to_fill(field_part<N> to, T value, site where) {
  std::vector<rectangle<N>> blocks;
  to.for_each_block(rectangle_of(to.extents()),
                    [&](const rectangle<N>& points) { blocks.push_back(points); });
  for (const rectangle<N>& points : blocks) {
    const auto fill_there = [to, points, value, place = transport::travelling_site(where)] {
      return fill_block(to, points, value, place);
    };
    async_call(to.owner_of(points), fill_there, where);
    co_await room(where);
  }
}

template <std::size_t N, class T>
task<> fill(field_part<N> to, T value, site where) {
  const auto ask = [&] { return ask_owners_to_fill(to, value, where); };
  co_await write_or_poison(to.field, ask, where);
}

}  // namespace atl::regions
