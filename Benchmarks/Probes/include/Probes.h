#ifndef BENCHMARK_PROBES_H
#define BENCHMARK_PROBES_H

#include <stdbool.h>

/// The allocations of the process between `probes_start_counting` and `probes_stop_counting`.
struct allocation_count {
    /// The number of calls that return memory: malloc, calloc, realloc, posix_memalign and similar functions.
    long calls;
    /// The highest number of live bytes, minus the live bytes at the start.
    long peak_bytes;
};

/// True if this executable's own malloc functions replace those of the C library (glibc, no sanitizer).
bool probes_can_count_allocations(void);

/// Sets the counters to zero and counts what all threads allocate until `probes_stop_counting`.
void probes_start_counting(void);

struct allocation_count probes_stop_counting(void);

/// The processor time that all threads of this process have used so far, in nanoseconds.
long probes_processor_nanoseconds(void);

/// Does nothing. An instruction counter can be told to write its totals when this function is called.
void probes_mark(void);

#endif
