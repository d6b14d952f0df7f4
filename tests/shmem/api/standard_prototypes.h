// The prototypes of OpenSHMEM 1.5 as the standard prints them, each for one type. If a declaration
// in shmem.h differs from its prototype, the compiler reports an error. Functions that take a lock
// or wait for a word also accept volatile and const pointers in Atoll. This file calls functions
// for locks and waits instead of declaring them, because their types differ from the types in the
// standard.

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

void shmem_init(void);
int shmem_my_pe(void);
int shmem_n_pes(void);
void shmem_finalize(void);
void shmem_global_exit(int status);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* addr, int pe);
void* shmem_ptr(const void* dest, int pe);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);
void start_pes(int npes);
int shmem_init_thread(int requested, int* provided);
void shmem_query_thread(int* provided);
void* shmem_malloc(size_t size);
void shmem_free(void* ptr);
void* shmem_realloc(void* ptr, size_t size);
void* shmem_align(size_t alignment, size_t size);
void* shmem_malloc_with_hints(size_t size, long hints);
void* shmem_calloc(size_t count, size_t size);

int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config);
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t* config, long config_mask,
                             shmem_team_t* new_team);
int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t* xaxis_config, long xaxis_mask,
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                        long yaxis_mask, shmem_team_t* yaxis_team);
void shmem_team_destroy(shmem_team_t team);
int shmem_ctx_create(long options, shmem_ctx_t* ctx);
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx);
void shmem_ctx_destroy(shmem_ctx_t ctx);
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);

void shmem_int_put(int* dest, const int* source, size_t nelems, int pe);
void shmem_ctx_int_put(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe);
void shmem_put128(void* dest, const void* source, size_t nelems, int pe);
void shmem_ctx_put8(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
void shmem_putmem(void* dest, const void* source, size_t nelems, int pe);
void shmem_ctx_putmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
void shmem_longdouble_p(long double* dest, long double value, int pe);
void shmem_ctx_schar_p(shmem_ctx_t ctx, signed char* dest, signed char value, int pe);
void shmem_short_iput(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                      int pe);
void shmem_ctx_iput16(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst,
                      size_t nelems, int pe);
void shmem_ptrdiff_get(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
void shmem_get32(void* dest, const void* source, size_t nelems, int pe);
void shmem_getmem(void* dest, const void* source, size_t nelems, int pe);
double shmem_double_g(const double* source, int pe);
size_t shmem_ctx_size_g(shmem_ctx_t ctx, const size_t* source, int pe);
void shmem_uchar_iget(unsigned char* dest, const unsigned char* source, ptrdiff_t dst,
                      ptrdiff_t sst, size_t nelems, int pe);
void shmem_float_put_nbi(float* dest, const float* source, size_t nelems, int pe);
void shmem_put64_nbi(void* dest, const void* source, size_t nelems, int pe);
void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);

float shmem_float_atomic_fetch(const float* source, int pe);
void shmem_ctx_double_atomic_set(shmem_ctx_t ctx, double* dest, double value, int pe);
int shmem_int_atomic_compare_swap(int* dest, int cond, int value, int pe);
uint64_t shmem_uint64_atomic_swap(uint64_t* dest, uint64_t value, int pe);
long shmem_long_atomic_fetch_inc(long* dest, int pe);
void shmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t* dest, int pe);
long long shmem_longlong_atomic_fetch_add(long long* dest, long long value, int pe);
void shmem_ptrdiff_atomic_add(ptrdiff_t* dest, ptrdiff_t value, int pe);
unsigned int shmem_uint_atomic_fetch_and(unsigned int* dest, unsigned int value, int pe);
void shmem_int32_atomic_xor(int32_t* dest, int32_t value, int pe);
void shmem_float_atomic_fetch_nbi(float* fetch, const float* source, int pe);
void shmem_int_atomic_compare_swap_nbi(int* fetch, int* dest, int cond, int value, int pe);
void shmem_double_atomic_swap_nbi(double* fetch, double* dest, double value, int pe);
void shmem_int_atomic_fetch_inc_nbi(int* fetch, int* dest, int pe);
void shmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe);
void shmem_int64_atomic_fetch_or_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe);
int shmem_int_fetch(const int* source, int pe);
void shmem_double_set(double* dest, double value, int pe);
long shmem_long_cswap(long* dest, long cond, long value, int pe);
float shmem_float_swap(float* dest, float value, int pe);
int shmem_int_finc(int* dest, int pe);
void shmem_int_inc(int* dest, int pe);
int shmem_int_fadd(int* dest, int value, int pe);
void shmem_int_add(int* dest, int value, int pe);

void shmem_char_put_signal(char* dest, const char* source, size_t nelems, uint64_t* sig_addr,
                           uint64_t signal, int sig_op, int pe);
void shmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems,
                               uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_putmem_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                         uint64_t signal, int sig_op, int pe);
uint64_t shmem_signal_fetch(const uint64_t* sig_addr);

void shmem_barrier_all(void);
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync_all(void);
int shmem_team_sync(shmem_team_t team);
int shmem_int_alltoall(shmem_team_t team, int* dest, const int* source, size_t nelems);
int shmem_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
void shmem_alltoall32(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long* pSync);
int shmem_int_alltoalls(shmem_team_t team, int* dest, const int* source, ptrdiff_t dst,
                        ptrdiff_t sst, size_t nelems);
int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems);
void shmem_alltoalls64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                       int PE_start, int logPE_stride, int PE_size, long* pSync);
int shmem_int_broadcast(shmem_team_t team, int* dest, const int* source, size_t nelems,
                        int PE_root);
int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems,
                       int PE_root);
void shmem_broadcast64(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,
                       int logPE_stride, int PE_size, long* pSync);
int shmem_int_collect(shmem_team_t team, int* dest, const int* source, size_t nelems);
int shmem_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
void shmem_fcollect32(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,
                      int PE_size, long* pSync);
int shmem_size_and_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
int shmem_longdouble_max_reduce(shmem_team_t team, long double* dest, const long double* source,
                                size_t nreduce);
void shmem_short_xor_to_all(short* dest, const short* source, int nreduce, int PE_start,
                            int logPE_stride, int PE_size, short* pWrk, long* pSync);
void shmem_longdouble_min_to_all(long double* dest, const long double* source, int nreduce,
                                 int PE_start, int logPE_stride, int PE_size, long double* pWrk,
                                 long* pSync);
#ifndef __cplusplus
int shmem_complexd_sum_reduce(shmem_team_t team, double _Complex* dest,
                              const double _Complex* source, size_t nreduce);
void shmem_complexf_prod_to_all(float _Complex* dest, const float _Complex* source, int nreduce,
                                int PE_start, int logPE_stride, int PE_size, float _Complex* pWrk,
                                long* pSync);
#endif

void shmem_fence(void);
void shmem_ctx_fence(shmem_ctx_t ctx);
void shmem_quiet(void);
void shmem_ctx_quiet(shmem_ctx_t ctx);
void shmem_pcontrol(const int level, ...);

void shmem_clear_cache_inv(void);
void shmem_set_cache_inv(void);
void shmem_clear_cache_line_inv(void* dest);
void shmem_set_cache_line_inv(void* dest);
void shmem_udcflush(void);
void shmem_udcflush_line(void* dest);
int _my_pe(void);
int _num_pes(void);
void* shmalloc(size_t size);
void shfree(void* ptr);
void* shrealloc(void* ptr, size_t size);
void* shmemalign(size_t alignment, size_t size);

#ifdef __cplusplus
}
#endif

static inline size_t called_as_the_standard_has_it(int* ivars, const int* status, size_t* indices,
                                                   int* cmp_values, long* lock) {
  uint64_t signal = shmem_signal_wait_until((uint64_t*)0, SHMEM_CMP_EQ, 1);
  shmem_long_wait(lock, 1);
  shmem_short_wait((short*)0, 1);
  shmem_int_wait_until(ivars, SHMEM_CMP_EQ, 1);
  shmem_int_wait_until_all(ivars, 2, status, SHMEM_CMP_EQ, 1);
  shmem_int_wait_until_all_vector(ivars, 2, status, SHMEM_CMP_EQ, cmp_values);
  shmem_set_lock(lock);
  shmem_clear_lock(lock);
  return (size_t)signal + (size_t)shmem_test_lock(lock) +
         (size_t)shmem_int_test(ivars, SHMEM_CMP_EQ, 1) +
         (size_t)shmem_int_test_all(ivars, 2, status, SHMEM_CMP_EQ, 1) +
         shmem_int_wait_until_any(ivars, 2, status, SHMEM_CMP_EQ, 1) +
         shmem_int_wait_until_some(ivars, 2, indices, status, SHMEM_CMP_EQ, 1) +
         shmem_int_test_any_vector(ivars, 2, status, SHMEM_CMP_EQ, cmp_values) +
         shmem_int_test_some_vector(ivars, 2, indices, status, SHMEM_CMP_EQ, cmp_values);
}
