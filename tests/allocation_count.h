// Counts and fails allocations: this header replaces malloc and its kin in the executable that includes it (in one of
// its files only), for every library in the process, Qhull included.
//
// Not possible under Address- or ThreadSanitizer, which have their own, nor without glibc; allocation_is_counted()
// tells.
#ifndef APART_TESTS_ALLOCATION_COUNT_H
#define APART_TESTS_ALLOCATION_COUNT_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALLOCATION_COUNTED 0
#endif
#endif
#if !defined(ALLOCATION_COUNTED) &&                                                                                    \
    (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__))
#define ALLOCATION_COUNTED 0
#elif !defined(ALLOCATION_COUNTED)
#define ALLOCATION_COUNTED 1
#endif

/// What happened since allocation_watch. Only this thread may allocate meanwhile.
static struct {
    bool on;
    long calls;      // allocations asked for
    long live;       // blocks handed out and not yet freed
    long bytes;      // in them
    long peak;       // the most there were
    long fail_at;    // refuse call number fail_at (1, 2, 3...); 0 = none
    bool fail_after; // and all the later ones
} allocation;

/// Whether counting works in this build; if not, calls and live stay 0.
static inline bool allocation_is_counted(void) { return ALLOCATION_COUNTED; }

/// Starts counting from 0. Refuses call number fail_at, and the later ones too if fail_after is set; 0 refuses none.
static inline void allocation_watch(long fail_at, bool fail_after) {
    allocation.calls = allocation.live = allocation.bytes = allocation.peak = 0;
    allocation.fail_at = fail_at;
    allocation.fail_after = fail_after;
    allocation.on = true;
}

/// Stops counting; the counts stay. Returns the number of calls.
static inline long allocation_stop(void) {
    allocation.on = false;
    return allocation.calls;
}

#if ALLOCATION_COUNTED
#include <malloc.h>
// glibc's own entries, which its malloc is a name of.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* block);

static bool allocation_refused(void) {
    if (!allocation.on) return false;
    allocation.calls++;
    if (allocation.fail_at == 0 || allocation.calls < allocation.fail_at) return false;
    return allocation.fail_after || allocation.calls == allocation.fail_at;
}

static void allocation_weigh(void* block, long sign) {
    allocation.bytes += sign * (long)malloc_usable_size(block);
    if (allocation.bytes > allocation.peak) allocation.peak = allocation.bytes;
}

static void* allocation_made(void* block) {
    if (block && allocation.on) {
        allocation.live++;
        allocation_weigh(block, 1);
    }
    return block;
}

static void* allocation_failed(void) {
    errno = ENOMEM;
    return NULL;
}

// The shared libraries have to find these.
#define ALLOCATION_API __attribute__((visibility("default"), used))

ALLOCATION_API void* malloc(size_t size) {
    return allocation_refused() ? allocation_failed() : allocation_made(__libc_malloc(size));
}

ALLOCATION_API void* calloc(size_t count, size_t size) {
    return allocation_refused() ? allocation_failed() : allocation_made(__libc_calloc(count, size));
}

ALLOCATION_API void* realloc(void* block, size_t size) {
    if (allocation_refused()) return allocation_failed();
    if (!block) return allocation_made(__libc_realloc(NULL, size));
    if (allocation.on) allocation_weigh(block, -1);
    void* moved = __libc_realloc(block, size);
    if (allocation.on) allocation_weigh(moved ? moved : block, 1);
    return moved;
}

ALLOCATION_API void* aligned_alloc(size_t alignment, size_t size) {
    return allocation_refused() ? allocation_failed() : allocation_made(__libc_memalign(alignment, size));
}

ALLOCATION_API int posix_memalign(void** block, size_t alignment, size_t size) {
    if (allocation_refused()) return ENOMEM;
    *block = allocation_made(__libc_memalign(alignment, size));
    return *block ? 0 : ENOMEM;
}

ALLOCATION_API void free(void* block) {
    if (block && allocation.on) {
        allocation.live--;
        allocation_weigh(block, -1);
    }
    __libc_free(block);
}
// NOLINTEND(bugprone-reserved-identifier)
#endif

#endif
