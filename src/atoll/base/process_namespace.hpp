#pragma once
// Who numbers the processes that this one sees.

#include <cstdint>

namespace atl {

/// Equal for processes that know each other by the same numbers; 0 where /proc does not say.
std::uint64_t process_namespace() noexcept;

}  // namespace atl
