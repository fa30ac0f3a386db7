#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A web server for a page and its WebSockets, on libwebsockets. The library is loaded when a server is opened: programs
// without one neither require it nor wait for it.

/// A connection, from `connected` until `ended`; a WebSocket from `opened` until `closed`.
struct web_client;

struct sockaddr;

/// A server. All functions except `web_wake` are for the thread that calls `web_run`.
struct web_server;

/// A request, whose texts are valid during the call.
struct web_request {
  const char *_Nonnull path;
  /// Null without a usable header of that name.
  const char *_Nullable host, *_Nullable range;
  /// Whether the method is GET or HEAD.
  bool is_read;
};

/// What is sent in answer to a request: bytes or a part of a file.
struct web_response {
  int status;
  const char *_Nullable type;
  /// Must be valid until the server is closed.
  const uint8_t *_Nullable bytes;
  size_t count;
  /// The bytes compressed with gzip, for clients that accept it; null: they are sent as they are.
  const uint8_t *_Nullable compressed;
  size_t compressed_count;
  /// Instead of `bytes`: `count` bytes of this file, from `offset` on. The server closes it.
  bool is_file;
  int descriptor;
  int64_t offset;
  /// More headers, as in `web_open`; valid until the next request.
  const char *_Nullable const *_Nullable headers;
};

/// What a server calls, on the thread of `web_run`.
struct web_callbacks {
  void *_Nullable context;
  /// A connection was accepted.
  void (*_Nonnull connected)(void *_Nullable context, struct web_client *_Nonnull client,
                             const struct sockaddr *_Nonnull peer);
  /// A connection is over. Also called for some that were never reported by `connected`.
  void (*_Nonnull ended)(void *_Nullable context, struct web_client *_Nonnull client);
  /// Answers a request.
  void (*_Nonnull request)(void *_Nullable context, struct web_client *_Nonnull client,
                           const struct web_request *_Nonnull request,
                           struct web_response *_Nonnull response);
  /// Whether a WebSocket is admitted. `hasOrigin` with a null `origin` is a header that is too long.
  bool (*_Nonnull admits)(void *_Nullable context, struct web_client *_Nonnull client,
                          const char *_Nonnull path, const char *_Nullable host,
                          const char *_Nullable origin, bool hasOrigin);
  /// Bytes were read from a connection, before they are used. Returns false to end it instead.
  bool (*_Nonnull read)(void *_Nullable context, int descriptor, const uint8_t *_Nonnull bytes,
                        size_t count);
  void (*_Nonnull opened)(void *_Nullable context, struct web_client *_Nonnull client);
  /// A part of a message.
  void (*_Nonnull received)(void *_Nullable context, struct web_client *_Nonnull client,
                            const uint8_t *_Nullable bytes, size_t count, bool isText,
                            bool isLast);
  /// The client accepts a message: send at most one with `web_send`, or close with `web_close`.
  /// Returns false to close the connection.
  bool (*_Nonnull writable)(void *_Nullable context, struct web_client *_Nonnull client);
  /// The time of `web_set_timer` has passed.
  void (*_Nonnull timed)(void *_Nullable context, struct web_client *_Nonnull client);
  /// The descriptor of `web_watch` is readable. Returns false to stop watching it.
  bool (*_Nonnull readable)(void *_Nullable context, struct web_client *_Nonnull client);
  void (*_Nonnull closed)(void *_Nullable context, struct web_client *_Nonnull client);
  /// `web_wake` was called.
  void (*_Nonnull woken)(void *_Nullable context);
};

/// Limits of a server.
struct web_limits {
  /// The greatest number of descriptors: connections, what is watched for them, and sockets that listen.
  unsigned connections;
  /// The bytes of the headers of a request.
  unsigned header_bytes;
  /// The seconds that a client has for a request, and to take a response.
  unsigned seconds;
  /// The seconds after which a silent WebSocket is asked for a sign of life, and closed.
  unsigned ping_seconds, hangup_seconds;
};

/// Loads the library. Thread-safe.
///
/// Returns false if it is not installed, or has another version than that with which the program was built.
bool web_load(void);

/// Opens a server that does not listen yet. Every header of a response that does not depend on the request is in
/// `headers`: names, each with a colon, and values, alternating, with null at the end. They must be valid until the
/// server is closed.
///
/// Returns null with `errno`.
struct web_server *_Nullable web_open(struct web_limits limits,
                                      const char *_Nullable const *_Nonnull headers,
                                      struct web_callbacks callbacks);

/// Accepts connections of a socket that listens and does not block. The server closes it.
/// Returns false if there is no room for it; the socket is closed then.
bool web_listen(struct web_server *_Nonnull server, int descriptor);

/// Waits for events and handles them. Does not wait longer than until `web_wake`.
///
/// Returns false after an error that ends the server.
bool web_run(struct web_server *_Nonnull server);

/// Ends a wait, and calls `woken`. Any thread.
void web_wake(struct web_server *_Nonnull server);

/// Closes all connections.
void web_close_server(struct web_server *_Nonnull server);

/// The socket of a connection.
int web_descriptor(struct web_client *_Nonnull client);

/// Requests a call of `writable`.
void web_request_write(struct web_client *_Nonnull client);

/// Sends a text message. Only within `writable`, once. Returns false if the connection is over.
bool web_send(struct web_client *_Nonnull client, const uint8_t *_Nonnull bytes, size_t count);

/// Sets the reason with which the connection is closed when `writable` returns false.
void web_set_reason(struct web_client *_Nonnull client, int code, const char *_Nonnull reason);

/// Requests a call of `timed`; a negative number cancels it.
void web_set_timer(struct web_client *_Nonnull client, int64_t microseconds);

/// Calls `readable` when a descriptor is readable, until the client is closed. The server closes the descriptor.
/// Returns false if there is no room for it; the descriptor is closed then.
bool web_watch(struct web_client *_Nonnull client, int descriptor);

/// Ends a connection soon. `ended` is called then.
void web_drop(struct web_client *_Nonnull client);

/// Computes HMAC-SHA-256 (RFC 2104, FIPS 180-4) after `web_load` has succeeded. Any thread.
bool web_hmac_sha256(const uint8_t *_Nonnull key, size_t keyCount, const uint8_t *_Nonnull bytes,
                     size_t count, uint8_t code[_Nonnull 32]);

/// Compresses bytes with gzip (RFC 1952) after `web_load` has succeeded. Any thread.
///
/// Returns memory that the caller owns, or null if there is none.
uint8_t *_Nullable web_gzip(const uint8_t *_Nonnull bytes, size_t count,
                            size_t *_Nonnull compressedCount);
