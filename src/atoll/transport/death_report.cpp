#include "atoll/transport/death_report.hpp"

#include "atoll/transport/say.hpp"
#include "atoll/transport/site_word.hpp"

#include <sys/wait.h>

namespace atl::transport {

void say_death(int pe, int wait_status, std::uint64_t last_site) noexcept {
  const site last = site_of_word(last_site);
  const char* const file = last.known() ? last.file() : "";
  const char* const slash = std::strrchr(file, '/');
  char where[200] = "";
  if (last.known())
    *fmt::format_to_n(where, sizeof where - 1, "; the last task it started came from {}:{}",
                      slash != nullptr ? slash + 1 : file, last.line())
         .out = '\0';
  if (WIFSIGNALED(wait_status))
    say("PE {} was killed by signal {} ({}){}", pe, WTERMSIG(wait_status),
        signal_name(WTERMSIG(wait_status)), static_cast<const char*>(where));
  else
    say("PE {} exited with status {} before the end of the job{}", pe, WEXITSTATUS(wait_status),
        static_cast<const char*>(where));
}

}  // namespace atl::transport
