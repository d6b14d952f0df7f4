#include "atoll/base/pe.hpp"

namespace atl {

constinit thread_local pe* current_pe __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace atl
