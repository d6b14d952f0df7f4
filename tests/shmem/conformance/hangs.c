// Usage: hangs wait|sleep. With `wait`, PE 0 waits for a value that no PE puts, and the runtime
// must report a hang. With `sleep`, PE 0 sleeps for a while and all other PEs wait for PE 0. The
// runtime must not report a hang while PE 0 sleeps.

#include "check.h"
#include <unistd.h>

static long never;

int main(int argc, char** argv) {
  shmem_init();
  const char* const how = argc > 1 ? argv[1] : "";
  if (shmem_my_pe() == 0 && strcmp(how, "wait") == 0)
    shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
  if (shmem_my_pe() == 0 && strcmp(how, "sleep") == 0) sleep(3);
  shmem_barrier_all();
  shmem_finalize();
  return check_status();
}
