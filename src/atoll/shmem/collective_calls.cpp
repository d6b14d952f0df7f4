#include "atoll/shmem/collective_calls.hpp"

#include "atoll/shmem/argument_checks.hpp"

#include <fmt/format.h>

namespace atl::shmem {
namespace {

void check_count(const collective& of, std::size_t elements) {
  check_equal(of, "the number of elements", static_cast<long>(elements));
}

void check_to(const collective& of, int to) {
  if (to == k_everyone) return;
  check_root(of, to);
  check_equal(of, "the root", to);
}

/// All counts and sizes of a collective on blocks of all members fit an address space.
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

/// From the first to the last of the elements of all blocks.
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
