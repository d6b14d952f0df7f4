#pragma once
// What is said on standard error of a PE that has come to an end before its job. `last_site` is a
// site_word: where the task it started last was spawned.

#include <cstdint>

namespace atl::job {

/// How far a PE has come when it dies.
enum class life_stage : std::uint8_t { before_body, in_body, between_jobs };

/// Which PE has died of what. `wait_status` is as waitpid gives it. For signal handlers too.
void say_death(int pe, int wait_status, std::uint64_t last_site,
               life_stage stage = life_stage::in_body) noexcept;

/// Which PE has called `exit(status)`, and that the job ends with `ends_with`.
void say_exit(int pe, int status, int ends_with, std::uint64_t last_site) noexcept;

}  // namespace atl::job
