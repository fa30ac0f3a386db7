#pragma once
// Linux calls that Swift's Glibc module lacks, or that a render thread may use.
#include "futex.h"
#include "linux.h"
#include "shared_memory.h"
#include "sockets.h"
#include "threads.h"
