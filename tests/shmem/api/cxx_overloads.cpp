// This file is compiled, but never run. The file uses the generic names, which are overloads in
// C++. The file includes the header in places where C programs would include it.

extern "C" {
#include <shmem.h>
}

#include "every_generic_name.h"

ARITHMETIC(std::complex<float>, complexf)
ARITHMETIC(std::complex<double>, complexd)

namespace a_program {

template <typename Value>
Value exchanged(Value* dest, Value value, shmem_ctx_t ctx) {
  static Value numbers[4];
  shmem_put(numbers, &value, 1, 1);
  shmem_get(ctx, numbers, dest, 4, 1);
  return shmem_g(&numbers[0], 1) + shmem_g(ctx, dest, 0);
}

long uses_of_all_kinds(shmem_team_t team, long* pSync) {
  volatile long flag = 0;
  shmem_sync(team);
  shmem_sync(0, 0, 2, pSync);
  shmem_wait(&flag, 0);
  shmem_wait_until(&flag, SHMEM_CMP_NE, 0);
  shmem_p(pSync, 1, 0);
  return exchanged(pSync, 1L, SHMEM_CTX_DEFAULT) +
         static_cast<long>(exchanged(new double(1), 2.0, SHMEM_CTX_INVALID));
}

}  // namespace a_program

#ifdef __GNUC__
// C programs that are compiled as C++ still use the complex types of C.
__extension__ typedef double _Complex c_complex;
int complex_of_c(c_complex* dest, c_complex* work, long* pSync) {
  shmem_complexd_prod_to_all(dest, dest, 1, 0, 0, 2, work, pSync);
  return shmem_sum_reduce(SHMEM_TEAM_WORLD, dest, dest, 1) +
         shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, dest, dest, 1);
}
#endif
