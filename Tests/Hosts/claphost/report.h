// How a check that runs in a process of its own reports its result.
#pragma once

enum { STATUS_PASSED = 0, STATUS_FAILED = 1, STATUS_ABSENT = 77 };

// Where remarks and failures are written.
extern int report_descriptor;
