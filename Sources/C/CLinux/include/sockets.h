#pragma once
#include <stddef.h>

/// Makes a SOCK_SEQPACKET socket, closed on exec. Returns -1 and errno on failure.
int packet_socket(void);

/// Binds `socket` to a path, or connects it to one. The path must fit a `sockaddr_un`: 107 bytes.
/// Return 0, or -1 and errno.
int packet_socket_bind(int socket, const char *path);
int packet_socket_connect(int socket, const char *path);

/// Accepts a connection, closed on exec. Returns -1 and errno on failure.
int packet_socket_accept(int socket);

/// Sends one packet, with a descriptor unless that is negative. Never raises SIGPIPE.
///
/// `waits`: 0 to fail with EAGAIN where the peer has not read so much that it would have to wait.
/// Returns 0, or -1 and errno.
int packet_send(int socket, const void *bytes, size_t count, int descriptor, int waits);

/// Receives one packet of at most `capacity` bytes.
///
/// `descriptor`: gets the descriptor that came with it, closed on exec, or -1. Further ones are closed.
/// Returns the packet's length, which is more than `capacity` when it was cut; 0 when the peer is gone;
/// -1 and errno on failure.
long packet_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// Who was at the other end when it connected. Returns 0, or -1 and errno.
int socket_peer(int socket, int *process, unsigned *user);
