#include "Probes.h"

__attribute__((noinline)) void probes_mark(void) { __asm__ volatile(""); }
