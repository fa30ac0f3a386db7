#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "CWebSockets.h"

// Structures of the library differ between its versions, so its name must be that of the headers.
#if LWS_LIBRARY_VERSION_NUMBER < 4002000
#define LIBRARY "libwebsockets.so.17"
#elif LWS_LIBRARY_VERSION_NUMBER < 4003000
#define LIBRARY "libwebsockets.so.18"
#elif LWS_LIBRARY_VERSION_NUMBER < 4004000
#define LIBRARY "libwebsockets.so.19"
#else
#define LIBRARY "libwebsockets.so"
#endif

struct web_functions web_lws;
static bool is_loaded;

/// Of libcrypto, on which libwebsockets depends. Its interface has not changed since OpenSSL 0.9.
static struct {
  const void *(*sha256)(void);
  unsigned char *(*hmac)(const void *hash, const void *key, int keyCount,
                         const unsigned char *bytes, size_t count, unsigned char *code,
                         unsigned *codeCount);
} crypto;

/// Of zlib, on which libwebsockets depends too. Its interface has not changed since 1.0.
static struct {
  __typeof__(deflateInit2_) *init;
  __typeof__(deflateBound) *bound;
  __typeof__(deflate) *run;
  __typeof__(deflateEnd) *end;
} zlib;

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  web_lws.name = (__typeof__(web_lws.name))dlsym(library, "lws_" #name);                           \
  if (!web_lws.name) return;
  FUNCTIONS(FIND)
#undef FIND
  // Also searches the libraries on which this one depends.
  crypto.sha256 = (__typeof__(crypto.sha256))dlsym(library, "EVP_sha256");
  crypto.hmac = (__typeof__(crypto.hmac))dlsym(library, "HMAC");
  if (!crypto.sha256 || !crypto.hmac) return;
  zlib.init = (__typeof__(zlib.init))dlsym(library, "deflateInit2_");
  zlib.bound = (__typeof__(zlib.bound))dlsym(library, "deflateBound");
  zlib.run = (__typeof__(zlib.run))dlsym(library, "deflate");
  zlib.end = (__typeof__(zlib.end))dlsym(library, "deflateEnd");
  if (!zlib.init || !zlib.bound || !zlib.run || !zlib.end) return;
  // The text is the version, followed by a mark of the build.
  is_loaded = strncmp(web_lws.get_library_version(), LWS_LIBRARY_VERSION,
                      strlen(LWS_LIBRARY_VERSION)) == 0;
  if (is_loaded) web_lws.set_log_level(0, NULL);
}

bool web_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

bool web_hmac_sha256(const uint8_t *key, size_t keyCount, const uint8_t *bytes, size_t count,
                     uint8_t code[32]) {
  unsigned codeCount = 32;
  return crypto.hmac(crypto.sha256(), key, (int)keyCount, bytes, count, code, &codeCount) &&
         codeCount == 32;
}

uint8_t *web_gzip(const uint8_t *bytes, size_t count, size_t *compressedCount) {
  z_stream stream = {.next_in = (uint8_t *)bytes, .avail_in = (uInt)count};
  // 16 more than the logarithm of the window is gzip's header.
  if (zlib.init(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL,
                Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof stream) != Z_OK)
    return NULL;
  size_t room = zlib.bound(&stream, (uLong)count);
  uint8_t *result = malloc(room);
  stream.next_out = result;
  stream.avail_out = (uInt)room;
  bool isDone = result && zlib.run(&stream, Z_FINISH) == Z_STREAM_END;
  *compressedCount = stream.total_out;
  zlib.end(&stream);
  if (isDone) return result;
  free(result);
  return NULL;
}
