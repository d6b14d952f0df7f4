#include "atoll/shmem/argument_checks.hpp"

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

}  // namespace atl::shmem
