#pragma once
// This header replaces src/atoll/transport/shm/stream_copy.hpp, because the memory model has plain
// stores only.

#include "transport/litmus/explorer.hpp"

#include <cstddef>
#include <cstring>
#include <source_location>

namespace atl::transport::shm {

inline void stream_copy(std::byte* to, const std::byte* from, std::size_t bytes,
                        std::source_location place = std::source_location::current()) {
  std::memcpy(to, from, bytes);
  litmus::write_bytes(to, place);
}

}  // namespace atl::transport::shm
