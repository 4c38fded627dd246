#include "width.h"

#include <stdlib.h>

/// Before the tests begin, unless somebody has said otherwise.
__attribute__((constructor)) static void limit_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "12", 0);
}
