#include "Probes.h"

#include <time.h>

long probes_processor_nanoseconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (long)used.tv_sec * 1000000000L + used.tv_nsec;
}
