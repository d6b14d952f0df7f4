#include "atoll/job/death_report.hpp"

#include "atoll/job/wire.hpp"
#include "atoll/transport/site_word.hpp"

#include <sys/wait.h>

namespace atl::job {
namespace {

/// "; the last task it started came from bfs.hpp:12", or that it was outside of a job, or nothing.
class origin {
 public:
  explicit origin(std::uint64_t last_site, life_stage stage = life_stage::in_body) noexcept {
    if (stage == life_stage::before_body) std::strcpy(text_, " before it began");
    if (stage == life_stage::between_jobs) std::strcpy(text_, " while no job ran");
    if (stage != life_stage::in_body) return;
    const site last = transport::site_of_word(last_site);
    if (!last.known()) return;
    const char* const slash = std::strrchr(last.file(), '/');
    *fmt::format_to_n(text_, sizeof text_ - 1, "; the last task it started came from {}:{}",
                      slash != nullptr ? slash + 1 : last.file(), last.line())
         .out = '\0';
  }

  const char* text() const noexcept { return text_; }

 private:
  char text_[200] = "";
};

}  // namespace

void say_death(int pe, int wait_status, std::uint64_t last_site, life_stage stage) noexcept {
  const origin from(last_site, stage);
  if (WIFSIGNALED(wait_status))
    say("PE {} was killed by signal {} ({}){}", pe, WTERMSIG(wait_status),
        transport::signal_name(WTERMSIG(wait_status)), from.text());
  else
    say("PE {} exited with status {}{}{}", pe, WEXITSTATUS(wait_status),
        stage == life_stage::in_body ? " before the end of the job" : "", from.text());
}

void say_exit(int pe, int status, int ends_with, std::uint64_t last_site) noexcept {
  say("PE {} called exit({}) before the end of the job, which ends with status {}{}", pe, status,
      ends_with, origin(last_site).text());
}

}  // namespace atl::job
