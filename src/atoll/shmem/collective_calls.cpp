#include "atoll/shmem/collective_calls.hpp"

#include "atoll/shmem/meeting.hpp"
#include "atoll/shmem/world.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace atl::shmem {
namespace {

struct extremes {
  long least;
  long most;
};

void widen(void* into, const void* from, std::size_t) {
  auto& left = *static_cast<extremes*>(into);
  const auto& right = *static_cast<const extremes*>(from);
  left = {std::min(left.least, right.least), std::max(left.most, right.most)};
}

}  // namespace

void refuse_unequal(const collective& of, const char* name, long value) {
  extremes found{value, value};
  if (sizeof found > most_carried(of.all)) return;
  meet_with(of, &found, 1, sizeof found, widen);
  if (found.least == found.most) return;
  refuse(of.call, fmt::format("{} is {} here, but all {} PEs of the collective must give the same: "
                              "it is {} on one and {} on another",
                              name, value, of.all.size, found.least, found.most));
}

void refuse_overlapping(const char* call, const stretch& dest, const stretch& source) {
  const auto to = reinterpret_cast<std::uintptr_t>(dest.begin);
  const auto from = reinterpret_cast<std::uintptr_t>(source.begin);
  if (to >= from + source.bytes || from >= to + dest.bytes) return;
  refuse(call, fmt::format("dest, {} bytes at {}, and source, {} bytes at {}, overlap", dest.bytes,
                           fmt::ptr(dest.begin), source.bytes, fmt::ptr(source.begin)));
}

void refuse_not_symmetric(const char* call, const stretch& one) {
  if (one.bytes != 0) locate(call, one.begin, one.bytes, the_world.pe);
}

void refuse_root(const collective& of, int root) {
  refuse(of.call, fmt::format("the root {} does not exist; {} PEs take part", root, of.all.size));
}

namespace {

void check_count(const collective& of, std::size_t elements) {
  check_equal(of, "the number of elements", static_cast<long>(elements));
}

void check_to(const collective& of, int to) {
  if (to == k_everyone) return;
  check_root(of, to);
  check_equal(of, "the root", to);
}

/// Ends the job with an error if a number of elements or a stride is invalid. Also ends the job if
/// the blocks of all members together are larger than an address space.
void check_blocks(const collective& of, const blocks& each) {
  if (each.elements == 0) return;
  if (each.dest_stride < 1 || each.source_stride < 1)
    refuse(of.call, fmt::format("dst is {} and sst is {}; a stride is 1 at least", each.dest_stride,
                                each.source_stride));
  bytes_of(of.call, each.elements, each.element_bytes);
  for (const std::ptrdiff_t stride : {each.dest_stride, each.source_stride}) {
    const std::size_t step =
        bytes_of(of.call, static_cast<std::size_t>(stride), each.element_bytes);
    const std::size_t block = bytes_of(of.call, each.elements, step);
    bytes_of(of.call, static_cast<std::size_t>(of.all.size), block);
  }
}

/// Returns the number of bytes from the begin of the first block to the end of the last element of
/// the last block.
std::size_t extent(const group& all, const blocks& each, std::ptrdiff_t stride) {
  const std::size_t elements = static_cast<std::size_t>(all.size) * each.elements;
  return ((elements - 1) * static_cast<std::size_t>(stride) + 1) * each.element_bytes;
}

}  // namespace

void broadcast(const collective& of, void* dest, const void* source, const element_count& each,
               int root, bool but_root) {
  check_root(of, root);
  check_count(of, each.elements);
  check_to(of, root);
  if (each.elements == 0) return;
  bytes_of(of.call, each.elements, each.element_bytes);
  check_apart_or_same(of.call, {dest, each.bytes()}, {source, each.bytes()});
  broadcast_bytes(of.with(each.elements, root), dest, source, each.bytes(), root, but_root);
}

void collect(const collective& of, void* dest, const void* source, const element_count& each,
             int to) {
  check_to(of, to);
  bytes_of(of.call, each.elements, each.element_bytes);
  check_apart(of.call, {dest, to == k_everyone ? each.bytes() : 0}, {source, each.bytes()});
  gather_differing(of.with(0, to), dest, source, each.bytes(), to);
}

void fcollect(const collective& of, void* dest, const void* source, const element_count& each,
              int to) {
  check_count(of, each.elements);
  check_to(of, to);
  if (each.elements == 0) return;
  const bool takes = to == k_everyone || to == of.all.me;
  const std::size_t bytes_of_all = bytes_of(of.call, static_cast<std::size_t>(of.all.size),
                                            bytes_of(of.call, each.elements, each.element_bytes));
  check_apart(of.call, {dest, takes ? bytes_of_all : 0}, {source, each.bytes()});
  gather_bytes(of.with(each.elements, to), dest, source, each.bytes(), to);
}

void alltoalls(const collective& of, void* dest, const void* source, const blocks& each) {
  check_blocks(of, each);
  check_count(of, each.elements);
  check_equal(of, "dst", each.dest_stride);
  check_equal(of, "sst", each.source_stride);
  if (each.elements == 0) return;
  check_apart(of.call, {dest, extent(of.all, each, each.dest_stride)},
              {source, extent(of.all, each, each.source_stride)});
  exchange_blocks(of.with(each.elements), dest, source, each);
}

void reduce(const collective& of, void* dest, const void* source, const folding& what, int to) {
  check_count(of, what.elements);
  check_to(of, to);
  if (what.elements == 0) return;
  const std::size_t bytes = bytes_of(of.call, what.elements, what.element_bytes);
  const bool takes = to == k_everyone || to == of.all.me;
  check_apart_or_same(of.call, {dest, takes ? bytes : 0}, {source, bytes});
  reduce_elements(of.with(what.elements, to), dest, source, what, to);
}

}  // namespace atl::shmem
