// usage: shmem_rounds collectives|signals SECONDS. In each round, the PEs wait for each other. At
// the end, PE 0 prints whether the result is right.

#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long in, out;

static bool is_right_collective(long round) {
  const long pes = shmem_n_pes();
  void* const some = shmem_malloc(100);
  void* const more = shmem_malloc(100000);
  in = shmem_my_pe() + round;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &out, &in, 1);
  const bool is_right = out == pes * (pes - 1) / 2 + pes * round;
  shmem_barrier_all();
  shmem_free(more);
  shmem_free(some);
  return is_right;
}

static uint64_t word, come, taken;

/// Each PE puts a value to the next PE in the ring. After a PE has read the value, it tells the
/// sender that `word` may be written again.
static bool is_right_signal(long round) {
  const uint64_t now = (uint64_t)round + 1;
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const uint64_t sent = now * 1000 + (uint64_t)me;
  shmem_uint64_put_signal(&word, &sent, 1, &come, now, SHMEM_SIGNAL_SET, (me + 1) % pes);
  shmem_signal_wait_until(&come, SHMEM_CMP_EQ, now);
  const int before = (me + pes - 1) % pes;
  const bool is_right = word == now * 1000 + (uint64_t)before;
  shmem_uint64_atomic_set(&taken, now, before);
  shmem_uint64_wait_until(&taken, SHMEM_CMP_EQ, now);
  return is_right;
}

/// PE 0 checks whether the time is over, and tells the other PEs.
static bool is_time_over(const struct timespec* begin, long seconds) {
  static int here, everywhere;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  here = now.tv_sec - begin->tv_sec + (now.tv_nsec < begin->tv_nsec ? -1 : 0) >= seconds;
  shmem_int_broadcast(SHMEM_TEAM_WORLD, &everywhere, &here, 1, 0);
  return everywhere;
}

int main(int argc, char** argv) {
  enum { k_rounds = 64 };
  const bool collectives = argc > 1 && strcmp(argv[1], "collectives") == 0;
  const long seconds = argc > 2 ? atol(argv[2]) : 1;
  static int wrong, wrong_of_any;
  struct timespec begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  shmem_init();
  for (long round = 0; round % k_rounds != 0 || !is_time_over(&begin, seconds); ++round)
    wrong |= collectives ? !is_right_collective(round) : !is_right_signal(round);
  shmem_int_max_reduce(SHMEM_TEAM_WORLD, &wrong_of_any, &wrong, 1);
  if (shmem_my_pe() == 0) puts(wrong_of_any ? "the result is wrong" : "the result is right");
  shmem_finalize();
  return wrong_of_any;
}
