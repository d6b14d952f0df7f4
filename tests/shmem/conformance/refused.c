// This program makes calls that the library must refuse. The arguments of the program select the
// call.
//
// `CALL COUNT`: CALL gets COUNT elements, which is more than any machine has memory for.
// `CALL differ`: the last PE, whose number is odd, makes CALL, and all other PEs make a different
// call. `CALL unequal`: all PEs make CALL, but the last PE passes other arguments. `shmem_sync_all
// meet`: the last PE calls shmem_sync_all, and all other PEs call shmem_barrier_all. `CALL stride`:
// CALL gets a stride of more bytes than any machine has.
//
// Without arguments, the program prints the names of the calls, one per line. Two more lists
// follow, each after an empty line: the calls for `differ`, and the calls for `unequal`.

#include "check.h"

static long dest[64], source[64];
static int small_dest[64], small_source[64];
static uint64_t signal;
static long sync_words[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static size_t count;
static int statuses[4];
static size_t number;
static void* given[2];
static shmem_team_t teams[2];

#define WORLD SHMEM_TEAM_WORLD
#define SET 0, 0, shmem_n_pes(), sync_words

// The following calls get `count` elements.
#define CALLS(M)                                                                                   \
  M(shmem_long_put, (dest, source, count, 0))                                                      \
  M(shmem_long_get, (dest, source, count, 0))                                                      \
  M(shmem_long_put_nbi, (dest, source, count, 0))                                                  \
  M(shmem_long_get_nbi, (dest, source, count, 0))                                                  \
  M(shmem_ctx_long_put, (SHMEM_CTX_DEFAULT, dest, source, count, 0))                               \
  M(shmem_ctx_long_get, (SHMEM_CTX_DEFAULT, dest, source, count, 0))                               \
  M(shmem_put64, (dest, source, count, 0))                                                         \
  M(shmem_get128, (dest, source, count, 0))                                                        \
  M(shmem_putmem, (dest, source, count, 0))                                                        \
  M(shmem_getmem_nbi, (dest, source, count, 0))                                                    \
  M(shmem_long_iput, (dest, source, 0, 0, count, 0))                                               \
  M(shmem_long_iget, (dest, source, 0, 0, count, 0))                                               \
  M(shmem_iput32, (dest, source, 1, 1, count, 0))                                                  \
  M(shmem_long_put_signal, (dest, source, count, &signal, 1, SHMEM_SIGNAL_SET, 0))                 \
  M(shmem_putmem_signal_nbi, (dest, source, count, &signal, 1, SHMEM_SIGNAL_ADD, 0))               \
  M(shmem_long_wait_until_all, (dest, count, NULL, SHMEM_CMP_EQ, 0))                               \
  M(shmem_long_test_any, (dest, count, statuses, SHMEM_CMP_EQ, 0))                                 \
  M(shmem_long_test_all_vector, (dest, count, NULL, SHMEM_CMP_EQ, source))                         \
  M(shmem_long_broadcast, (WORLD, dest, source, count, 0))                                         \
  M(shmem_broadcastmem, (WORLD, dest, source, count, 0))                                           \
  M(shmem_long_collect, (WORLD, dest, source, count))                                              \
  M(shmem_collectmem, (WORLD, dest, source, count))                                                \
  M(shmem_long_fcollect, (WORLD, dest, source, count))                                             \
  M(shmem_long_alltoall, (WORLD, dest, source, count))                                             \
  M(shmem_long_alltoalls, (WORLD, dest, source, 1, 2, count))                                      \
  M(shmem_long_sum_reduce, (WORLD, dest, source, count))                                           \
  M(shmem_ulong_and_reduce, (WORLD, (unsigned long*)dest, (unsigned long*)source, count))          \
  M(shmem_double_max_reduce, (WORLD, (double*)dest, (double*)source, count))                       \
  M(shmem_broadcast64, (dest, source, count, 0, SET))                                              \
  M(shmem_collect64, (dest, source, count, SET))                                                   \
  M(shmem_fcollect32, (dest, source, count, SET))                                                  \
  M(shmem_alltoall64, (dest, source, count, SET))                                                  \
  M(shmem_alltoalls32, (dest, source, 1, 1, count, SET))

// The library refuses each call of `OLD_CALLS`. While one PE makes the call, all other PEs wait for
// that PE. The number of elements has the type int and is always -1.
#define OLD_CALLS(M)                                                                               \
  M(shmem_long_sum_to_all, (dest, source, (int)-1, 0, 0, shmem_n_pes(), work, sync_words))

// While the last PE makes a call of `DIFFERING`, all other PEs call shmem_long_sum_reduce with 3
// elements.
#define DIFFERING(M)                                                                               \
  M(shmem_team_sync, (WORLD))                                                                      \
  M(shmem_int_sum_reduce, (WORLD, small_dest, small_source, 3))                                    \
  M(shmem_long_max_reduce, (WORLD, dest, source, 3))                                               \
  M(shmem_long_sum_reduce, (WORLD, dest, source, 4))                                               \
  M(shmem_long_broadcast, (WORLD, dest, source, 3, 0))                                             \
  M(shmem_long_fcollect, (WORLD, dest, source, 3))                                                 \
  M(shmem_long_collect, (WORLD, dest, source, 3))                                                  \
  M(shmem_long_alltoall, (WORLD, dest, source, 3))

// The variable `number` in the calls of `UNEQUAL` is 2 on the last PE, and 1 on all other PEs.
#define UNEQUAL(M)                                                                                 \
  M(shmem_malloc, (64 * number))                                                                   \
  M(shmem_calloc, (8, 8 * number))                                                                 \
  M(shmem_align, (64 * number, 64))                                                                \
  M(shmem_realloc, (given[0], 256 * number))                                                       \
  M(shmem_free, (given[number - 1]))                                                               \
  M(shmem_team_split_strided, (WORLD, 0, 1, (int)number, NULL, 0, &teams[0]))                      \
  M(shmem_team_split_2d, (WORLD, (int)number, NULL, 0, &teams[0], NULL, 0, &teams[1]))

// With this stride, the distance of two elements in bytes overflows 64 bits and seems to be that of
// adjacent elements.
#define WRAPS (((ptrdiff_t)1 << 61) + 1)
#define STRIDED(M)                                                                                 \
  M(shmem_long_iput, (dest, source, WRAPS, 1, 3, 0))                                               \
  M(shmem_long_iget, (dest, source, 1, WRAPS, 3, 0))                                               \
  M(shmem_ctx_double_iput,                                                                         \
    (SHMEM_CTX_DEFAULT, (double*)dest, (double*)source, -WRAPS, 1, 3, 0))

#define LIST(NAME, ARGUMENTS) puts(#NAME);
#define CALL(NAME, ARGUMENTS)                                                                      \
  if (strcmp(name, #NAME) == 0) (void)NAME ARGUMENTS;

int main(int argc, char** argv) {
  if (argc < 3) {
    CALLS(LIST)
    OLD_CALLS(LIST)
    puts("");
    DIFFERING(LIST)
    puts("");
    UNEQUAL(LIST)
    return 0;
  }
  const char* const name = argv[1];
  shmem_init();
  shmem_barrier_all();
  if (strcmp(argv[2], "meet") == 0) {
    shmem_my_pe() == shmem_n_pes() - 1 ? shmem_sync_all() : shmem_barrier_all();
  } else if (strcmp(argv[2], "stride") == 0) {
    STRIDED(CALL)
  } else if (strcmp(argv[2], "unequal") == 0) {
    number = shmem_my_pe() == shmem_n_pes() - 1 ? 2 : 1;
    given[0] = shmem_malloc(64);
    given[1] = shmem_malloc(128);
    UNEQUAL(CALL)
  } else if (strcmp(argv[2], "differ") != 0) {
    count = strtoull(argv[2], NULL, 10);
    CALLS(CALL)
    OLD_CALLS(CALL)
  } else if (shmem_my_pe() == shmem_n_pes() - 1) {
    DIFFERING(CALL)
  } else {
    shmem_long_sum_reduce(WORLD, dest, source, 3);
  }
  shmem_finalize();
  return check_status();
}
