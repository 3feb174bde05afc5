#include "TestWidth.h"

#include <stdlib.h>

// Runs before `main`, because Swift Testing reads the variable when it starts, and no Swift code of the tests runs
// before that. A value from outside is kept.
__attribute__((constructor)) static void limit_concurrent_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
