#pragma once
// Functions for render threads that cannot be written in Swift.
#include "fixed_point.h"
#include "floating_point.h"
#include "maths.h"
#include "prefetch.h"
#include "promise.h"
#include "sanitizer.h"
#include "spin.h"
#include "units.h"
