#pragma once

#include <cstdint>

namespace atl::transport {

/// Says on standard error which PE has died of what, and where the task it started last was
/// spawned (`last_site`, a site_word). `wait_status` is as waitpid gives it. For signal handlers
/// too.
void say_death(int pe, int wait_status, std::uint64_t last_site) noexcept;

}  // namespace atl::transport
