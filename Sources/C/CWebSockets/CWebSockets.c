#define _GNU_SOURCE
#include "CWebSockets.h"
#include "Library.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
  /// Has the body, if `hasFile`.
  int file;
  off_t offset;
  bool hasFile;
  bool isOpen;
  /// Of a socket that listens; 0 for all others.
  int listening;
};

static struct lws *socket_of(struct web_client *client) { return (struct lws *)client; }
static struct web_client *client_of(struct lws *socket) { return (struct web_client *)socket; }

/// Copies a header. Returns null if it is missing or does not fit.
static const char *header(struct lws *socket, enum lws_token_indexes token, char *text, int room) {
  return web_lws.hdr_copy(socket, text, room, token) > 0 ? text : NULL;
}

static void close_file(struct connection *connection) {
  if (connection->hasFile) close(connection->file);
  connection->hasFile = false;
}

/// Whether the client accepts gzip. One that gives it a weight gets the bytes as they are.
static bool accepts_gzip(struct lws *socket) {
  char text[256];
  const char *encodings = header(socket, WSI_TOKEN_HTTP_ACCEPT_ENCODING, text, sizeof text);
  const char *found = encodings ? strcasestr(encodings, "gzip") : NULL;
  return found && found[4] != ';';
}

static int add_headers(struct lws *socket, const char *const *headers, unsigned char **place,
                       unsigned char *end) {
  for (const char *const *field = headers; field && field[0]; field += 2) {
    if (web_lws.add_http_header_by_name(socket, (const unsigned char *)field[0],
                                    (const unsigned char *)field[1], (int)strlen(field[1]), place,
                                    end))
      return 1;
  }
  return 0;
}

static int write_head(struct web_server *server, struct lws *socket,
                      const struct web_response *response, bool isCompressed) {
  static const char *const compressed[] = {"content-encoding:", "gzip", "vary:", "accept-encoding",
                                           NULL};
  unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *end = buffer + sizeof buffer,
                                        *place = start;
  return web_lws.add_http_common_headers(socket, (unsigned)response->status, response->type,
                                     isCompressed ? response->compressed_count : response->count,
                                     &place, end) ||
         add_headers(socket, server->headers, &place, end) ||
         add_headers(socket, response->headers, &place, end) ||
         add_headers(socket, isCompressed ? compressed : NULL, &place, end) ||
         web_lws.finalize_write_http_header(socket, start, &place, end);
}

static int respond(struct web_server *server, struct lws *socket, struct connection *connection,
                   const char *path) {
  char host[256], range[128];
  bool isHead = web_lws.hdr_total_length(socket, WSI_TOKEN_HEAD_URI) > 0;
  struct web_request request = {
      .path = path,
      .host = header(socket, WSI_TOKEN_HOST, host, sizeof host),
      .range = header(socket, WSI_TOKEN_HTTP_RANGE, range, sizeof range),
      .is_read = isHead || web_lws.hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0};
  struct web_response response = {0};
  server->callbacks.request(server->callbacks.context, client_of(socket), &request, &response);
  close_file(connection);
  connection->hasFile = response.is_file;
  connection->file = response.descriptor;
  connection->offset = response.offset;
  bool isCompressed = response.compressed && accepts_gzip(socket);
  if (write_head(server, socket, &response, isCompressed)) {
    close_file(connection);
    return 1;
  }
  connection->body = isCompressed ? response.compressed : response.bytes;
  connection->left = isHead ? 0 : isCompressed ? response.compressed_count : response.count;
  if (connection->left == 0) {
    close_file(connection);
    return web_lws.http_transaction_completed(socket) ? -1 : 0;
  }
  web_lws.callback_on_writable(socket);
  return 0;
}

/// The seconds that a client has to take a part of a response.
enum { PART_SECONDS = 20 };

static int write_body(struct lws *socket, struct connection *connection) {
  unsigned char buffer[LWS_PRE + 16384];
  size_t count = connection->left < 16384 ? connection->left : 16384;
  // A client that sent a second request early has nothing to be written.
  if (count == 0) return 0;
  if (connection->hasFile) {
    ssize_t size = pread(connection->file, buffer + LWS_PRE, count, connection->offset);
    // The file has become shorter: the client sees that bytes are missing.
    if (size <= 0) return -1;
    count = (size_t)size;
    connection->offset += size;
  } else {
    memcpy(buffer + LWS_PRE, connection->body, count);
    connection->body += count;
  }
  bool isLast = count == connection->left;
  if (web_lws.write(socket, buffer + LWS_PRE, count,
                isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) != (int)count)
    return -1;
  connection->left -= count;
  if (isLast) {
    close_file(connection);
    return web_lws.http_transaction_completed(socket) ? -1 : 0;
  }
  web_lws.set_timeout(socket, PENDING_TIMEOUT_HTTP_CONTENT, PART_SECONDS);
  web_lws.callback_on_writable(socket);
  return 0;
}

static bool admits(struct web_server *server, struct lws *socket) {
  char path[64], host[256], origin[256];
  if (!header(socket, WSI_TOKEN_GET_URI, path, sizeof path)) return false;
  return server->callbacks.admits(
      server->callbacks.context, client_of(socket), path, header(socket, WSI_TOKEN_HOST, host, sizeof host),
      header(socket, WSI_TOKEN_ORIGIN, origin, sizeof origin),
      web_lws.hdr_total_length(socket, WSI_TOKEN_ORIGIN) > 0);
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
        web_lws.rx_flow_control(listener, 0);
        web_lws.set_timer_usecs(listener, PAUSE_MICROSECONDS);
      }
      return;
    }
    int on = 1;
    setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // The library closes the descriptor if it has no room.
    struct lws *socket = web_lws.adopt_socket_vhost(server->vhost, accepted);
    if (socket)
      server->callbacks.connected(server->callbacks.context, client_of(socket),
                                  (struct sockaddr *)&peer);
  }
}

static int callback(struct lws *socket, enum lws_callback_reasons reason, void *memory, void *bytes,
                    size_t count) {
  struct lws_context *context = web_lws.get_context(socket);
  struct web_server *server = context ? web_lws.context_user(context) : NULL;
  if (!server) return 0;
  struct web_callbacks *callbacks = &server->callbacks;
  struct connection *connection = memory;
  switch (reason) {
  case LWS_CALLBACK_HTTP:
    return connection ? respond(server, socket, connection, bytes) : 1;
  case LWS_CALLBACK_HTTP_WRITEABLE:
    return connection ? write_body(socket, connection) : 1;
  case LWS_CALLBACK_CLOSED_HTTP:
  case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    if (connection) close_file(connection);
    return 0;
  case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
    return admits(server, socket) ? 0 : 1;
  case LWS_CALLBACK_ESTABLISHED:
    connection->isOpen = true;
    callbacks->opened(callbacks->context, client_of(socket));
    return 0;
  case LWS_CALLBACK_RECEIVE:
    callbacks->received(callbacks->context, client_of(socket), bytes, count,
                        !web_lws.frame_is_binary(socket),
                        web_lws.is_final_fragment(socket) &&
                            web_lws.remaining_packet_payload(socket) == 0);
    return 0;
  case LWS_CALLBACK_SERVER_WRITEABLE:
    return callbacks->writable(callbacks->context, client_of(socket)) ? 0 : -1;
  case LWS_CALLBACK_TIMER:
    if (connection && connection->listening) web_lws.rx_flow_control(socket, 1);
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
    struct lws *parent = web_lws.get_parent(socket);
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
  server->context = web_lws.create_context(&info);
  sigaction(SIGPIPE, &pipe, NULL);
  if (!server->context) {
    free(server);
    errno = ENOMEM;
    return NULL;
  }
  server->vhost = web_lws.create_vhost(server->context, &info);
  if (!server->vhost) {
    web_lws.context_destroy(server->context);
    free(server);
    errno = ENOMEM;
    return NULL;
  }
  return server;
}

bool web_listen(struct web_server *server, int descriptor) {
  lws_sock_file_fd_type file = {.filefd = descriptor};
  struct lws *socket = web_lws.adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, file,
                                                  "panel", NULL);
  if (!socket) {
    close(descriptor);
    return false;
  }
  ((struct connection *)web_lws.wsi_user(socket))->listening = descriptor;
  return true;
}

/// The server that the thread runs.
static _Thread_local struct web_server *running;

bool web_run(struct web_server *server) {
  running = server;
  bool isOpen = web_lws.service(server->context, 0) >= 0;
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

void web_wake(struct web_server *server) { web_lws.cancel_service(server->context); }

void web_close_server(struct web_server *server) {
  web_lws.context_destroy(server->context);
  free(server);
}

int web_descriptor(struct web_client *client) { return web_lws.get_socket_fd(socket_of(client)); }

void web_request_write(struct web_client *client) {
  web_lws.callback_on_writable(socket_of(client));
}

bool web_send(struct web_client *client, const uint8_t *bytes, size_t count) {
  unsigned char *buffer = malloc(LWS_PRE + count);
  if (!buffer) return false;
  memcpy(buffer + LWS_PRE, bytes, count);
  int written = web_lws.write(socket_of(client), buffer + LWS_PRE, count, LWS_WRITE_TEXT);
  free(buffer);
  return written >= (int)count;
}

void web_set_reason(struct web_client *client, int code, const char *reason) {
  char text[120];
  size_t count = strnlen(reason, sizeof text);
  memcpy(text, reason, count);
  web_lws.close_reason(socket_of(client), (enum lws_close_status)code, (unsigned char *)text, count);
}

void web_set_timer(struct web_client *client, int64_t microseconds) {
  web_lws.set_timer_usecs(socket_of(client), microseconds);
}

bool web_watch(struct web_client *client, int descriptor) {
  lws_sock_file_fd_type file = {.filefd = descriptor};
  struct lws *parent = socket_of(client);
  if (web_lws.adopt_descriptor_vhost(web_lws.get_vhost(parent), LWS_ADOPT_RAW_FILE_DESC, file, "panel",
                                 parent))
    return true;
  close(descriptor);
  return false;
}

// The library sees that the connection has ended, and calls back.
void web_drop(struct web_client *client) {
  shutdown(web_lws.get_socket_fd(socket_of(client)), SHUT_RDWR);
}
