#ifndef BENCHMARK_PROBES_H
#define BENCHMARK_PROBES_H

#include <stdbool.h>

/// What the process took from the heap between `probes_start_counting` and `probes_stop_counting`.
struct allocation_count {
    /// Calls that hand out memory: malloc, calloc, realloc, posix_memalign and their kin.
    long calls;
    /// The highest number of live bytes above what was live at the start.
    long peak_bytes;
};

/// True where this executable's own malloc family stands in front of the C library's (glibc, no sanitizer).
bool probes_can_count_allocations(void);

/// Sets the counters to zero and counts what all threads allocate until `probes_stop_counting`.
void probes_start_counting(void);

struct allocation_count probes_stop_counting(void);

/// The processor time that all threads of this process have used so far, in nanoseconds.
long probes_processor_nanoseconds(void);

/// Does nothing: a function that an instruction counter can be told to write its totals at.
void probes_mark(void);

#endif
