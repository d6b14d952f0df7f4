// Tests thread support: `threads single|funneled|serialized|multiple`. The threads of a PE put
// data, change words atomically, wait, and take locks, as far as the thread level allows.

#define _POSIX_C_SOURCE 200809L  // nanosleep

#include "check.h"

#include <pthread.h>
#include <time.h>

enum { k_threads = 4, k_rounds = 60, k_words = 300 };

static long data[k_threads][k_words];
static long flags[k_threads];
static long answers[k_threads];
static long counter;
static long lock;
static long guarded;
static uint64_t sums[k_threads];
static long slots[k_threads];
static uint64_t signals[k_threads];

static int level;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

// Unless the thread level is SHMEM_THREAD_MULTIPLE, only one thread calls the library at a time.
static void begin_call(void) {
  if (level != SHMEM_THREAD_MULTIPLE) pthread_mutex_lock(&turn);
}
static void end_call(void) {
  if (level != SHMEM_THREAD_MULTIPLE) pthread_mutex_unlock(&turn);
}

// Waits for a word, and meanwhile lets other threads run.
static void await_word(long* word, long value) {
  if (level == SHMEM_THREAD_MULTIPLE) return shmem_long_wait_until(word, SHMEM_CMP_EQ, value);
  for (int is_so = 0; !is_so;) {
    begin_call();
    is_so = shmem_long_test(word, SHMEM_CMP_EQ, value);
    end_call();
    const struct timespec nap = {0, 20000};
    if (!is_so) nanosleep(&nap, NULL);
  }
}

static void send_message(int thread, long round) {
  long words[k_words];
  for (size_t i = 0; i < k_words; ++i) words[i] = round + (long)i;
  begin_call();
  if (round % 2)
    shmem_long_put(data[thread], words, k_words, pe_after(1));
  else
    shmem_long_put_nbi(data[thread], words, k_words, pe_after(1));
  shmem_fence();
  shmem_long_p(&flags[thread], round, pe_after(1));
  shmem_quiet();
  end_call();
}

static void receive_message(int thread, long round) {
  await_word(&flags[thread], round);
  for (size_t i = 0; i < k_words; ++i)
    CHECK(data[thread][i] == round + (long)i, "thread %d, word %zu is %ld in round %ld", thread, i,
          data[thread][i], round);
  begin_call();
  const long seen = shmem_long_g(&flags[thread], shmem_my_pe());
  CHECK(seen == round, "%ld in round %ld", seen, round);
  shmem_long_p(&answers[thread], round, pe_before(1));
  end_call();
  await_word(&answers[thread], round);
}

static void change_words(int thread) {
  begin_call();
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    shmem_long_atomic_inc(&counter, pe);
    const uint64_t before = shmem_uint64_atomic_fetch_add(&sums[thread], 2, pe);
    CHECK(before % 2 == 0, "%llu", (unsigned long long)before);
  }
  end_call();
}

static void raise_signal(int thread) {
  const long own = thread + 1;
  begin_call();
  shmem_long_put_signal(&slots[thread], &own, 1, &signals[thread], 1, SHMEM_SIGNAL_ADD,
                        pe_after(1));
  end_call();
}

static void take_lock(void) {
  begin_call();
  shmem_set_lock(&lock);
  const long before = shmem_long_g(&guarded, 0);
  shmem_long_p(&guarded, before + 1, 0);
  shmem_clear_lock(&lock);
  end_call();
}

static void* work(void* argument) {
  const int thread = *(const int*)argument;
  for (long round = 1; round <= k_rounds; ++round) {
    send_message(thread, round);
    receive_message(thread, round);
    change_words(thread);
    raise_signal(thread);
    if (round % 10 == 0) take_lock();
  }
  return NULL;
}

// The work of a thread that must not call the library: the thread computes.
static void* stay_out(void* argument) {
  volatile long sum = 0;
  for (int i = 0; i < 1000000; ++i) sum = sum + *(const int*)argument;
  return NULL;
}

static void run_threads(int callers) {
  pthread_t threads[k_threads];
  int numbers[k_threads];
  for (int i = 0; i < k_threads; ++i) {
    numbers[i] = i;
    if (i == 0 && callers == 1) continue;
    pthread_create(&threads[i], NULL, i < callers ? work : stay_out, &numbers[i]);
  }
  if (callers == 1) work(&numbers[0]);
  for (int i = callers == 1 ? 1 : 0; i < k_threads; ++i) pthread_join(threads[i], NULL);
}

static void check_results(int callers) {
  const long turns = (long)shmem_n_pes() * k_rounds;
  shmem_barrier_all();
  CHECK(counter == turns * callers, "%ld", counter);
  for (int i = 0; i < callers; ++i) {
    CHECK(sums[i] == 2 * (uint64_t)turns, "%llu", (unsigned long long)sums[i]);
    CHECK(slots[i] == i + 1, "%ld", slots[i]);
    CHECK(shmem_signal_wait_until(&signals[i], SHMEM_CMP_GE, k_rounds) == k_rounds, "thread %d", i);
  }
  const long taken = (long)shmem_n_pes() * callers * (k_rounds / 10);
  CHECK(shmem_long_g(&guarded, 0) == taken, "%ld, not %ld", shmem_long_g(&guarded, 0), taken);
}

static int level_of(const char* name) {
  const char* const names[] = {"single", "funneled", "serialized", "multiple"};
  const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED,
                        SHMEM_THREAD_MULTIPLE};
  for (size_t i = 0; i < COUNT_OF(names); ++i)
    if (strcmp(name, names[i]) == 0) return levels[i];
  fprintf(stderr, "no level: %s\n", name);
  exit(2);
}

int main(int argc, char** argv) {
  level = level_of(argc > 1 ? argv[1] : "multiple");
  int provided = -1;
  CHECK(shmem_init_thread(level, &provided) == 0, "level %d", level);
  CHECK(provided == level, "%d", provided);
  int asked = -1;
  shmem_query_thread(&asked);
  CHECK(asked == provided, "%d", asked);
  const int callers = level >= SHMEM_THREAD_SERIALIZED ? k_threads : 1;
  run_threads(callers);
  check_results(callers);
  shmem_finalize();
  return check_status();
}
