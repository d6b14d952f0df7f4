#include "atoll/base/pe.hpp"

namespace atoll {

constinit thread_local pe* current_pe __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace atoll
