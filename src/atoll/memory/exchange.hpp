#pragma once
// Collectives that exchange what differs per pair of PEs. Every PE calls them, one task a PE at a
// time, in the same order as all other collectives.
//
// A part for a PE whose memory is reached is stored there once, without a copy on the way: its PE
// is told how long it is, and answers where it goes. Short parts, and those for other nodes, travel
// as messages, which are batched and routed by node (message/routes.hpp), and are stored from these
// where they go. Where all lengths are known, and memory is symmetric, `one_sided::all_to_all`
// (symmetric_collectives.hpp) needs no answers.
//
// Parts of 64 KiB and more count as data of the PE that has received them, itself included. Beyond
// what that may hold the job ends with an error (out_of_memory); a call that throws it, for what it
// sends to itself, has done nothing, and the others wait for it.

#include "atoll/memory/collective_state.hpp"

namespace atl {
namespace memory {

/// outgoing[p] goes to PE p, and stays as it is until this returns; what came, by source.
task<std::vector<received_bytes>>
exchange(const collective_kind& kind, std::vector<std::span<const std::byte>> outgoing, site where);

/// What all PEs have, by PE, on PE `root`; nothing on the others, which do not wait for its task.
task<std::vector<received_bytes>> gather_at(const collective_kind& kind, int root,
                                            std::span<const std::byte> mine, site where);

template <class T>
inline constexpr collective_kind k_all_to_all = kind_of<T>("all_to_all");
template <class T>
inline constexpr collective_kind k_all_gather = kind_of<T>("all_gather");
template <class T>
inline constexpr collective_kind k_all_gather_to = kind_of<T>("all_gather_to");

/// Says what to write where values own memory.
template <class T>
consteval void refuse_owning() {
  static_assert(
      message::travels<T>,
      "the values of this collective are trivially copyable: for a std::string or a "
      "std::vector, write `all_gather(std::span<const E>(value))`, E being the type of its "
      "elements, and take the part of the PE that is wanted");
}

}  // namespace memory

/// parts[p] of this PE goes to PE p; the result's element q is what PE q sent here.
template <class T>
task<received_parts<T>> all_to_all(std::vector<std::span<const T>> parts,
                                   site where = site::current()) {
  ATOLL_ASSERT(parts.size() == static_cast<std::size_t>(pes()),
               "all_to_all sends a part to every PE");
  std::vector<std::span<const std::byte>> outgoing;
  for (const auto& part : parts) outgoing.push_back(std::as_bytes(part));
  co_return received_parts<T>(
      co_await memory::exchange(memory::k_all_to_all<T>, std::move(outgoing), where));
}

/// The same, of vectors, which stay as they are until it returns.
template <class T>
task<received_parts<T>> all_to_all(const std::vector<std::vector<T>>& parts,
                                   site where = site::current()) {
  return all_to_all(std::vector<std::span<const T>>(parts.begin(), parts.end()), where);
}

/// The values of all PEs, by PE, on every PE; their numbers may differ.
template <class T>
task<received_parts<T>> all_gather(std::span<const T> values, site where = site::current()) {
  std::vector<std::span<const std::byte>> outgoing(static_cast<std::size_t>(pes()),
                                                   std::as_bytes(values));
  co_return received_parts<T>(
      co_await memory::exchange(memory::k_all_gather<T>, std::move(outgoing), where));
}

/// The values of all PEs, by PE, on PE `root`; nothing on the others, which do not wait for its
/// task.
template <class T>
task<received_parts<T>> all_gather_to(int root, std::span<const T> values,
                                      site where = site::current()) {
  memory::check_pe("all_gather_to", root, where);
  co_return received_parts<T>(
      co_await memory::gather_at(memory::k_all_gather_to<T>, root, std::as_bytes(values), where));
}

/// One value of each PE, by PE, on every PE.
template <class T>
task<std::vector<T>> all_gather(T value, site where = site::current()) {
  memory::refuse_owning<T>();
  const std::array<T, 1> one{{value}};
  const auto all = co_await all_gather(std::span<const T>(one), where);
  std::vector<T> result;
  for (const auto& of_pe : all) result.push_back(of_pe[0]);
  co_return result;
}

}  // namespace atl
