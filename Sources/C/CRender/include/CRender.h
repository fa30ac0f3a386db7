#pragma once
// What Swift cannot express on a render thread.
#include "fixed_point.h"
#include "maths.h"
#include "prefetch.h"
#include "promise.h"
#include "sanitizer.h"
#include "units.h"
