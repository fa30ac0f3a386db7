#define _GNU_SOURCE
#include "CWebSockets.h"

#include <dlfcn.h>
#include <errno.h>
#include <libwebsockets.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

#define FUNCTIONS(FUNCTION)                                                                        \
  FUNCTION(add_http_common_headers)                                                                \
  FUNCTION(add_http_header_by_name)                                                                \
  FUNCTION(adopt_descriptor_vhost)                                                                 \
  FUNCTION(adopt_socket_vhost)                                                                     \
  FUNCTION(callback_on_writable)                                                                   \
  FUNCTION(cancel_service)                                                                         \
  FUNCTION(close_reason)                                                                           \
  FUNCTION(context_destroy)                                                                        \
  FUNCTION(context_user)                                                                           \
  FUNCTION(create_context)                                                                         \
  FUNCTION(create_vhost)                                                                           \
  FUNCTION(finalize_write_http_header)                                                             \
  FUNCTION(frame_is_binary)                                                                        \
  FUNCTION(get_context)                                                                            \
  FUNCTION(get_library_version)                                                                    \
  FUNCTION(get_parent)                                                                             \
  FUNCTION(get_socket_fd)                                                                          \
  FUNCTION(get_vhost)                                                                              \
  FUNCTION(hdr_copy)                                                                               \
  FUNCTION(hdr_total_length)                                                                       \
  FUNCTION(http_transaction_completed)                                                             \
  FUNCTION(is_final_fragment)                                                                      \
  FUNCTION(is_first_fragment)                                                                      \
  FUNCTION(remaining_packet_payload)                                                               \
  FUNCTION(rx_flow_control)                                                                        \
  FUNCTION(service)                                                                                \
  FUNCTION(set_log_level)                                                                          \
  FUNCTION(set_timer_usecs)                                                                        \
  FUNCTION(write)                                                                                  \
  FUNCTION(wsi_user)

static struct {
#define FIELD(name) __typeof__(lws_##name) *name;
  FUNCTIONS(FIELD)
#undef FIELD
} lws;
static bool is_loaded;

/// Of libcrypto, on which libwebsockets depends. Its interface has not changed since OpenSSL 0.9.
static struct {
  const void *(*sha256)(void);
  unsigned char *(*hmac)(const void *hash, const void *key, int keyCount,
                         const unsigned char *bytes, size_t count, unsigned char *code,
                         unsigned *codeCount);
} crypto;

struct web_server {
  struct lws_context *context;
  struct lws_vhost *vhost;
  struct web_callbacks callbacks;
  const char *const *headers;
  lws_retry_bo_t retry;
  struct lws_protocols protocols[2];
};

/// The library's memory for each connection.
struct connection {
  const uint8_t *body;
  size_t left;
  bool isOpen;
  /// Of a socket that listens; 0 for all others.
  int listening;
};

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  lws.name = (__typeof__(lws.name))dlsym(library, "lws_" #name);                                   \
  if (!lws.name) return;
  FUNCTIONS(FIND)
#undef FIND
  // Also searches the libraries on which this one depends.
  crypto.sha256 = (__typeof__(crypto.sha256))dlsym(library, "EVP_sha256");
  crypto.hmac = (__typeof__(crypto.hmac))dlsym(library, "HMAC");
  if (!crypto.sha256 || !crypto.hmac) return;
  // The text is the version, followed by a mark of the build.
  is_loaded = strncmp(lws.get_library_version(), LWS_LIBRARY_VERSION,
                      strlen(LWS_LIBRARY_VERSION)) == 0;
  if (is_loaded) lws.set_log_level(0, NULL);
}

bool web_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

static struct lws *socket_of(struct web_client *client) { return (struct lws *)client; }
static struct web_client *client_of(struct lws *socket) { return (struct web_client *)socket; }

/// Copies a header. Returns null if it is missing or does not fit.
static const char *header(struct lws *socket, enum lws_token_indexes token, char *text, int room) {
  return lws.hdr_copy(socket, text, room, token) > 0 ? text : NULL;
}

static int respond(struct web_server *server, struct lws *socket, struct connection *connection,
                   const char *path) {
  char host[256];
  bool isHead = lws.hdr_total_length(socket, WSI_TOKEN_HEAD_URI) > 0;
  bool isRead = isHead || lws.hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0;
  struct web_response response = {0};
  server->callbacks.request(server->callbacks.context, client_of(socket), path,
                            header(socket, WSI_TOKEN_HOST, host, sizeof host), isRead, &response);
  unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *end = buffer + sizeof buffer,
                                        *place = start;
  if (lws.add_http_common_headers(socket, (unsigned)response.status, response.type,
                                  response.count, &place, end))
    return 1;
  for (const char *const *field = server->headers; field[0]; field += 2) {
    if (lws.add_http_header_by_name(socket, (const unsigned char *)field[0],
                                    (const unsigned char *)field[1], (int)strlen(field[1]), &place,
                                    end))
      return 1;
  }
  if (lws.finalize_write_http_header(socket, start, &place, end)) return 1;
  connection->body = response.bytes;
  connection->left = isHead ? 0 : response.count;
  if (connection->left == 0) return lws.http_transaction_completed(socket) ? -1 : 0;
  lws.callback_on_writable(socket);
  return 0;
}

static int write_body(struct lws *socket, struct connection *connection) {
  unsigned char buffer[LWS_PRE + 8192];
  size_t count = connection->left < 8192 ? connection->left : 8192;
  // A client that sent a second request early has nothing to be written.
  if (count == 0) return 0;
  bool isLast = count == connection->left;
  memcpy(buffer + LWS_PRE, connection->body, count);
  if (lws.write(socket, buffer + LWS_PRE, count,
                isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) != (int)count)
    return -1;
  connection->body += count;
  connection->left -= count;
  if (isLast) return lws.http_transaction_completed(socket) ? -1 : 0;
  lws.callback_on_writable(socket);
  return 0;
}

static bool admits(struct web_server *server, struct lws *socket) {
  char path[64], host[256], origin[256];
  if (!header(socket, WSI_TOKEN_GET_URI, path, sizeof path)) return false;
  return server->callbacks.admits(
      server->callbacks.context, client_of(socket), path, header(socket, WSI_TOKEN_HOST, host, sizeof host),
      header(socket, WSI_TOKEN_ORIGIN, origin, sizeof origin),
      lws.hdr_total_length(socket, WSI_TOKEN_ORIGIN) > 0);
}

/// How long no connection is accepted after the process has run out of descriptors.
enum { PAUSE_MICROSECONDS = 100000 };

/// Accepts the connections that wait.
static void accept_connections(struct web_server *server, struct lws *listener, int descriptor) {
  // In turn with the other sockets, so that those who connect often do not keep the rest waiting.
  for (int count = 0; count < 16; count++) {
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    int accepted = accept4(descriptor, (struct sockaddr *)&peer, &size,
                           SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        // The socket stays readable: without a pause, the thread would run without end.
        lws.rx_flow_control(listener, 0);
        lws.set_timer_usecs(listener, PAUSE_MICROSECONDS);
      }
      return;
    }
    int on = 1;
    setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // The library closes the descriptor if it has no room.
    struct lws *socket = lws.adopt_socket_vhost(server->vhost, accepted);
    if (socket)
      server->callbacks.connected(server->callbacks.context, client_of(socket),
                                  (struct sockaddr *)&peer);
  }
}

static int callback(struct lws *socket, enum lws_callback_reasons reason, void *memory, void *bytes,
                    size_t count) {
  struct lws_context *context = lws.get_context(socket);
  struct web_server *server = context ? lws.context_user(context) : NULL;
  if (!server) return 0;
  struct web_callbacks *callbacks = &server->callbacks;
  struct connection *connection = memory;
  switch (reason) {
  case LWS_CALLBACK_HTTP:
    return connection ? respond(server, socket, connection, bytes) : 1;
  case LWS_CALLBACK_HTTP_WRITEABLE:
    return connection ? write_body(socket, connection) : 1;
  case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
    return admits(server, socket) ? 0 : 1;
  case LWS_CALLBACK_ESTABLISHED:
    connection->isOpen = true;
    callbacks->opened(callbacks->context, client_of(socket));
    return 0;
  case LWS_CALLBACK_RECEIVE:
    callbacks->received(callbacks->context, client_of(socket), bytes, count,
                        !lws.frame_is_binary(socket),
                        lws.is_final_fragment(socket) &&
                            lws.remaining_packet_payload(socket) == 0);
    return 0;
  case LWS_CALLBACK_SERVER_WRITEABLE:
    return callbacks->writable(callbacks->context, client_of(socket)) ? 0 : -1;
  case LWS_CALLBACK_TIMER:
    if (connection && connection->listening) lws.rx_flow_control(socket, 1);
    if (connection && connection->isOpen)
      callbacks->timed(callbacks->context, client_of(socket));
    return 0;
  case LWS_CALLBACK_CLOSED:
    connection->isOpen = false;
    callbacks->closed(callbacks->context, client_of(socket));
    return 0;
  case LWS_CALLBACK_WSI_DESTROY:
    callbacks->ended(callbacks->context, client_of(socket));
    return 0;
  case LWS_CALLBACK_RAW_RX_FILE: {
    if (connection && connection->listening) {
      accept_connections(server, socket, connection->listening);
      return 0;
    }
    struct lws *parent = lws.get_parent(socket);
    if (!parent) return -1;
    return callbacks->readable(callbacks->context, client_of(parent)) ? 0 : -1;
  }
  case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
    callbacks->woken(callbacks->context);
    return 0;
  case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
    return strcasecmp(bytes, "websocket") == 0 ? 0 : -1;
  default:
    return 0;
  }
}

struct web_server *web_open(struct web_limits limits, const char *const *headers,
                            struct web_callbacks callbacks) {
  struct web_server *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->callbacks = callbacks;
  server->headers = headers;
  server->retry = (lws_retry_bo_t){.secs_since_valid_ping = (uint16_t)limits.ping_seconds,
                                   .secs_since_valid_hangup = (uint16_t)limits.hangup_seconds};
  server->protocols[0] = (struct lws_protocols){.name = "panel",
                                                .callback = callback,
                                                .per_session_data_size = sizeof(struct connection),
                                                .rx_buffer_size = 4096};
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.gid = -1;
  info.uid = -1;
  info.user = server;
  info.protocols = server->protocols;
  // The library does not listen: 4.1 binds an IPv4 address as an IPv6 one, and so to all addresses.
  info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
  info.fd_limit_per_thread = limits.connections;
  info.max_http_header_pool = (uint16_t)limits.connections;
  info.max_http_header_data = (uint16_t)limits.header_bytes;
  info.timeout_secs = limits.seconds;
  info.keepalive_timeout = (int)limits.seconds;
  info.retry_and_idle_policy = &server->retry;
  // The library ignores SIGPIPE in the whole process.
  struct sigaction pipe;
  sigaction(SIGPIPE, NULL, &pipe);
  server->context = lws.create_context(&info);
  sigaction(SIGPIPE, &pipe, NULL);
  if (!server->context) {
    free(server);
    errno = ENOMEM;
    return NULL;
  }
  server->vhost = lws.create_vhost(server->context, &info);
  if (!server->vhost) {
    lws.context_destroy(server->context);
    free(server);
    errno = ENOMEM;
    return NULL;
  }
  return server;
}

bool web_listen(struct web_server *server, int descriptor) {
  lws_sock_file_fd_type file = {.filefd = descriptor};
  struct lws *socket = lws.adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, file,
                                                  "panel", NULL);
  if (!socket) {
    close(descriptor);
    return false;
  }
  ((struct connection *)lws.wsi_user(socket))->listening = descriptor;
  return true;
}

/// The server that the thread runs.
static _Thread_local struct web_server *running;

bool web_run(struct web_server *server) {
  running = server;
  bool isOpen = lws.service(server->context, 0) >= 0;
  running = NULL;
  return isOpen;
}

// Replaces the function of the C library in the whole process, which is that of recvfrom() without an address. So the
// server sees what libwebsockets reads: it accepts frames without a mask until version 5, and does not report masks.
ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  ssize_t received = recvfrom(descriptor, bytes, count, flags, NULL, NULL);
  if (received <= 0 || !running) return received;
  struct web_callbacks *callbacks = &running->callbacks;
  // The library takes 0 as the end of the connection.
  return callbacks->read(callbacks->context, descriptor, bytes, (size_t)received) ? received : 0;
}

void web_wake(struct web_server *server) { lws.cancel_service(server->context); }

void web_close_server(struct web_server *server) {
  lws.context_destroy(server->context);
  free(server);
}

int web_descriptor(struct web_client *client) { return lws.get_socket_fd(socket_of(client)); }

void web_request_write(struct web_client *client) {
  lws.callback_on_writable(socket_of(client));
}

bool web_send(struct web_client *client, const uint8_t *bytes, size_t count) {
  unsigned char *buffer = malloc(LWS_PRE + count);
  if (!buffer) return false;
  memcpy(buffer + LWS_PRE, bytes, count);
  int written = lws.write(socket_of(client), buffer + LWS_PRE, count, LWS_WRITE_TEXT);
  free(buffer);
  return written >= (int)count;
}

void web_set_reason(struct web_client *client, int code, const char *reason) {
  char text[120];
  size_t count = strnlen(reason, sizeof text);
  memcpy(text, reason, count);
  lws.close_reason(socket_of(client), (enum lws_close_status)code, (unsigned char *)text, count);
}

void web_set_timer(struct web_client *client, int64_t microseconds) {
  lws.set_timer_usecs(socket_of(client), microseconds);
}

bool web_watch(struct web_client *client, int descriptor) {
  lws_sock_file_fd_type file = {.filefd = descriptor};
  struct lws *parent = socket_of(client);
  if (lws.adopt_descriptor_vhost(lws.get_vhost(parent), LWS_ADOPT_RAW_FILE_DESC, file, "panel",
                                 parent))
    return true;
  close(descriptor);
  return false;
}

// The library sees that the connection has ended, and calls back.
void web_drop(struct web_client *client) {
  shutdown(lws.get_socket_fd(socket_of(client)), SHUT_RDWR);
}

bool web_hmac_sha256(const uint8_t *key, size_t keyCount, const uint8_t *bytes, size_t count,
                     uint8_t code[32]) {
  unsigned codeCount = 32;
  return crypto.hmac(crypto.sha256(), key, (int)keyCount, bytes, count, code, &codeCount) &&
         codeCount == 32;
}
