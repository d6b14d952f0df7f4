#include "atoll/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace atl {

int error::exit_status() const noexcept {
  switch (code_) {
  case errc::input:
  case errc::environment:
  case errc::out_of_memory:
  case errc::overflow:
    return k_status_environment;
  case errc::wrong_result:
    return k_status_wrong_result;
  case errc::hang:
    return k_status_hang;
  case errc::withdrawn:
  case errc::remote:
  case errc::peer_died:
  case errc::internal:
    break;
  }
  return k_status_exception;
}

namespace base {

void assertion_failed(const char* file, int line, const char* sentence) noexcept {
  std::fprintf(stderr, "atoll: %s:%d: %s\n", file, line, sentence);
  std::abort();
}

}  // namespace base
}  // namespace atl
