#include "atoll/base/pe.hpp"

#include "atoll/error.hpp"

namespace atl {

constinit thread_local pe* current_pe __attribute__((tls_model("initial-exec"))) = nullptr;

void refuse_outside_of_job(const char* call, site where) {
  fail(errc::input,
       "{}: {}() was called where there is no job: call it in what `run` or `run_spmd` starts",
       to_string(where), call);
}

}  // namespace atl
