// Measures puts and gets of 8 bytes by shmem.h to the heap and to static data of the last PE. Also
// measures puts and atomics of one thread and of four threads with one context each. Prints one
// line of JSON: nanoseconds per call, and calls per second of all threads of PE 0.
//
// oshrun -np 2 atoll-shmem-calls

#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { k_words = 64, k_threads = 4, k_batches = 15, k_calls = 200000 };

static long in_static[k_words];
static long* in_heap;
static int target;
static int is_over;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void put_words(long* to) {
  for (int i = 0; i < k_calls; ++i) shmem_long_put(&to[i % k_words], &(long){i}, 1, target);
}

static void get_words(long* from) {
  long got = 0;
  for (int i = 0; i < k_calls; ++i) shmem_long_get(&got, &from[i % k_words], 1, target);
}

// Returns the time per call of the fastest batch, because other programs may use the machine too.
static double nanoseconds(void (*calls)(long*), long* memory) {
  double best = 1e9;
  for (int batch = 0; batch < k_batches; ++batch) {
    const double begin = seconds();
    calls(memory);
    const double time = seconds() - begin;
    if (time < best) best = time;
  }
  return best / k_calls * 1e9;
}

// The work of one of several threads: puts and atomic increments of two words. The thread with the
// number `own` has its own two words.
static void* work(void* own) {
  shmem_ctx_t context;
  if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &context) != 0) return NULL;
  long* const to = in_heap + 8 * (long)(size_t)own;
  for (int i = 0; i < k_calls; ++i) {
    shmem_ctx_long_p(context, to, i, target);
    shmem_ctx_long_atomic_inc(context, to + 1, target);
  }
  shmem_ctx_destroy(context);
  return own;
}

static double rate_of_threads(int count) {
  pthread_t all[k_threads];
  const double begin = seconds();
  for (int i = 0; i < count; ++i) pthread_create(&all[i], NULL, work, (void*)(size_t)(i + 1));
  for (int i = 0; i < count; ++i) pthread_join(all[i], NULL);
  return 2.0 * k_calls * count / (seconds() - begin);
}

// Returns whether all increments of `runs` threads were counted.
static int is_right(long runs) {
  long sum = 0;
  for (int i = 1; i <= k_threads; ++i) sum += shmem_long_g(&in_heap[8 * i + 1], target);
  return sum == runs * k_calls;
}

static void print(double one, double four) {
  const double put = nanoseconds(put_words, in_heap);
  printf("{\"rate\": %g, \"unit\": \"1/s\", \"put_heap\": %.3g, \"put_static\": %.3g, "
         "\"get_heap\": %.3g, \"get_static\": %.3g, \"rate_of_one_thread\": %g, "
         "\"rate_of_four_threads\": %g, \"four_over_one\": %.3g}\n",
         1e9 / put, put, nanoseconds(put_words, in_static), nanoseconds(get_words, in_heap),
         nanoseconds(get_words, in_static), one, four, four / one);
}

// Waits until the measurement is over, and sleeps most of the time. Like a PE that computes, a
// waiting PE hardly calls the library.
static void stay_away(void) {
  while (shmem_int_g(&is_over, shmem_my_pe()) == 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

int main(void) {
  int level = 0;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
  in_heap = shmem_calloc(k_words, sizeof(long));
  target = shmem_n_pes() - 1;
  shmem_barrier_all();
  int right = 1;
  if (shmem_my_pe() == 0) {
    rate_of_threads(1);
    const double one = rate_of_threads(1);
    const double four = rate_of_threads(k_threads);
    right = is_right(2 + k_threads);
    memset(in_heap, 0, k_words * sizeof(long));
    if (right) print(one, four);
    for (int pe = 0; pe < shmem_n_pes(); ++pe) shmem_int_p(&is_over, 1, pe);
  }
  stay_away();
  shmem_barrier_all();
  shmem_finalize();
  return right ? 0 : 1;
}
