#define _GNU_SOURCE
#include "sockets.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// A peer that does not read blocks a sender for at most 5 seconds.
static int limit_sending(int socket) {
  struct timeval limit = {.tv_sec = 5};
  if (socket >= 0) setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  return socket;
}

int packet_socket(void) {
  return limit_sending(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

int packet_socket_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
  limit_sending(ends[0]);
  limit_sending(ends[1]);
  return 0;
}

static int fill(struct sockaddr_un *address, const char *path) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

int packet_socket_bind(int socket, const char *path) {
  struct sockaddr_un address;
  if (fill(&address, path) < 0) return -1;
  return bind(socket, (struct sockaddr *)&address, sizeof address);
}

int packet_socket_connect(int socket, const char *path) {
  struct sockaddr_un address;
  if (fill(&address, path) < 0) return -1;
  return connect(socket, (struct sockaddr *)&address, sizeof address);
}

int packet_socket_accept(int socket) {
  return limit_sending(accept4(socket, NULL, NULL, SOCK_CLOEXEC));
}

int packet_send(int socket, const void *bytes, size_t count, int descriptor, int waits) {
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control = {{0}};
  if (descriptor >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

// Keeps the first descriptor and closes the others, because a peer may send too many.
static int take_descriptor(struct msghdr *message) {
  int kept = -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header;
       header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int found;
      memcpy(&found, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      if (kept < 0) kept = found;
      else close(found);
    }
  }
  return kept;
}

long packet_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
  struct iovec part = {bytes, capacity};
  // Room for the maximum number of descriptors in a message, so that none can leak.
  union {
    char bytes[CMSG_SPACE(253 * sizeof(int))];
    struct cmsghdr header;
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  ssize_t count;
  // If a peer closes its socket with unread packets, recvmsg reports ECONNRESET once, before its last packets can be
  // read.
  do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC);
  while (count < 0 && (errno == EINTR || errno == ECONNRESET));
  *descriptor = count < 0 ? -1 : take_descriptor(&message);
  return count;
}

int socket_peer(int socket, int *process, unsigned *user) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -1;
  *process = credentials.pid;
  *user = credentials.uid;
  return 0;
}
