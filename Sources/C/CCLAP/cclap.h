/// CLAP 1.2's binary interface: what a plugin with the extensions of `extensions.h` and a host of it exchange.
///
/// The declarations are Portative's own, made from the layout of the structures, which `layout.h` asserts. The names
/// are those of the interface, so that its documentation (https://github.com/free-audio/clap) can be searched for them.
///
/// "Main thread", "audio thread" and "any thread" in comments are CLAP's terms: the main thread is one thread for the
/// plugin's whole life; the audio thread may be another one in each call, but only one at a time.
///
/// Pointers have no nullability, so that Swift imports them as implicitly unwrapped: a host may break any promise.
#pragma once
#include "events.h"
#include "extensions.h"
#include "factories.h"
#include "layout.h"
#include "plugin.h"
