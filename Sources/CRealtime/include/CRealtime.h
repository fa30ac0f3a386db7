#pragma once
#include "effects.h"
#include "futex.h"
#include "sanitizer.h"
#include "segment.h"
#include "shared_memory.h"
#include "sockets.h"
#include "threads.h"
