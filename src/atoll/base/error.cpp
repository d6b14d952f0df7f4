#include "atoll/base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace atoll {

int error::exit_status() const noexcept {
  switch (code_) {
  case errc::input:
  case errc::environment:
  case errc::out_of_memory:
  case errc::overflow:
    return 2;
  case errc::wrong_result:
    return 1;
  case errc::hang:
    return 3;
  case errc::remote:
  case errc::peer_died:
  case errc::internal:
    break;
  }
  return 4;
}

namespace base {

void assertion_failed(const char* file, int line, const char* sentence) noexcept {
  std::fprintf(stderr, "atoll: %s:%d: %s\n", file, line, sentence);
  std::abort();
}

}  // namespace base
}  // namespace atoll
