#pragma once
// What a program that was started by itself, one process a PE, must know to join its job: the
// launcher (program_job.hpp) says it in a variable of the environment.

#include "atoll/job/handed_region.hpp"
#include "atoll/job/wire.hpp"

#include <optional>
#include <string>

namespace atl::job {

struct launch_card {
  static constexpr const char* variable = "OSHRUN_JOB";

  int pe = 0;
  int pes = 1;
  bool own_cores = false;  ///< every PE has one
  int core = -1;           ///< that is free for this one; -1: none in particular
  handed_region region{};
};

std::string text_of(const launch_card& card);

/// Throws `error` (environment) where the text is no card.
launch_card card_in(const std::string& text);

/// The card of this process, once: programs that it starts do not join the job. Throws as
/// `card_in`.
std::optional<launch_card> take_launch_card();

/// This process has a card that was not taken.
bool has_launch_card() noexcept;

}  // namespace atl::job
