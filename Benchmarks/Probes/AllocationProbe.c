#include "Probes.h"

#include <limits.h> // defines __GLIBC__ where there is one
#include <stdatomic.h>
#include <stddef.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#include <errno.h>
#include <malloc.h>

// All shared libraries of the process, such as Foundation and the Swift runtime, find an executable's own malloc before
// the C library's. The functions below pass each call on, and cost one load and one branch while nobody counts.

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_bool counting;
static atomic_long calls;
static atomic_long live;
static atomic_long peak;

static void add_live(long bytes) {
    long now = atomic_fetch_add_explicit(&live, bytes, memory_order_relaxed) + bytes;
    long highest = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > highest && !atomic_compare_exchange_weak(&peak, &highest, now)) {}
}

static bool is_counting(void) {
    return __builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), false);
}

static void *noted(void *block) {
    if (is_counting() && block != NULL) {
        atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
        add_live((long)malloc_usable_size(block));
    }
    return block;
}

void *malloc(size_t size) { return noted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return noted(__libc_calloc(count, size)); }

void *memalign(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    if (block == NULL) { return ENOMEM; }
    *result = block;
    return 0;
}

void *realloc(void *block, size_t size) {
    if (!is_counting()) { return __libc_realloc(block, size); }
    long before = block == NULL ? 0 : (long)malloc_usable_size(block);
    void *moved = __libc_realloc(block, size);
    if (moved != NULL || size == 0) { add_live(-before); }
    return noted(moved);
}

void free(void *block) {
    if (is_counting() && block != NULL) { add_live(-(long)malloc_usable_size(block)); }
    __libc_free(block);
}

bool probes_can_count_allocations(void) { return true; }

void probes_start_counting(void) {
    atomic_store(&calls, 0);
    atomic_store(&live, 0);
    atomic_store(&peak, 0);
    atomic_store(&counting, true);
}

struct allocation_count probes_stop_counting(void) {
    atomic_store(&counting, false);
    return (struct allocation_count){.calls = atomic_load(&calls), .peak_bytes = atomic_load(&peak)};
}

#else

bool probes_can_count_allocations(void) { return false; }

void probes_start_counting(void) {}

struct allocation_count probes_stop_counting(void) { return (struct allocation_count){0, 0}; }

#endif
