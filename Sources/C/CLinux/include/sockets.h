#pragma once
#include <stddef.h>

/// Creates a SOCK_SEQPACKET socket, closed on exec. Returns -1 and errno on failure.
int packet_socket(void);

/// Creates two such sockets, connected to each other. Returns 0, or -1 and errno.
int packet_socket_pair(int ends[2]);

/// Bind `socket` to a path, or connect it to one. The path must fit into a `sockaddr_un`: at most 107 bytes.
/// Return 0, or -1 and errno.
int packet_socket_bind(int socket, const char *path);
int packet_socket_connect(int socket, const char *path);

/// Accepts a connection, closed on exec. Returns -1 and errno on failure.
int packet_socket_accept(int socket);

/// Sends one packet, with `descriptor` unless it is negative. Never raises SIGPIPE.
///
/// `waits`: 0 to fail with EAGAIN instead of waiting for a peer that has too many unread packets.
/// Returns 0, or -1 and errno.
int packet_send(int socket, const void *bytes, size_t count, int descriptor, int waits);

/// Receives one packet of at most `capacity` bytes.
///
/// `descriptor`: receives the descriptor that came with the packet, closed on exec, or -1. Further ones are closed.
/// Returns the length of the packet, which is more than `capacity` if it was truncated; 0 if the peer has closed the
/// connection; -1 and errno on failure.
long packet_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// Gets the process and user of the peer at the time of the connection. Returns 0, or -1 and errno.
int socket_peer(int socket, int *process, unsigned *user);
