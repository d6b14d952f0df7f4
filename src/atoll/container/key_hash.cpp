#include "atoll/container/key_hash.hpp"

#define XXH_INLINE_ALL
#define XXH_VECTOR 0  // vector code is not faster for short keys, and causes warnings of g++ 12
#include <xxhash.h>

namespace atl::container {

std::uint64_t hash_of_bytes(const void* bytes, std::size_t count) noexcept {
  return XXH3_64bits(bytes, count);
}

}  // namespace atl::container
