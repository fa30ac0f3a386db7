#pragma once
// Linux functions that Swift's Glibc module lacks or that render threads use.
#include "futex.h"
#include "linux.h"
#include "shared_memory.h"
#include "sockets.h"
#include "threads.h"
