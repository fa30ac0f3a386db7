// Functions of Linux and GNU that Swift's Glibc module lacks.
//
// They are declared here because including the headers would also import types of Glibc, which the
// compiler would then assign to this module.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>

// <sys/epoll.h>; an event is a uint32_t of EPOLLIN and other flags, followed by 8 bytes for the caller.
#define EPOLL_CLOEXEC 02000000
#define EPOLL_CTL_ADD 1
#define EPOLLIN 1
int epoll_create1(int flags);
int epoll_ctl(int epoll, int operation, int descriptor, void *event);

// <sys/timerfd.h>; `time` and `before` point to an itimerspec.
#define TFD_CLOEXEC 02000000
#define TFD_NONBLOCK 04000
int timerfd_create(int clock, int flags);
int timerfd_settime(int timer, int flags, const void *time, void *before);

// <spawn.h>; `actions` points to a posix_spawn_file_actions_t.
#define POSIX_SPAWN_SETSID 0x80
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);

// <sys/xattr.h>
int fsetxattr(int descriptor, const char *name, const void *value, unsigned long size, int flags);
long fgetxattr(int descriptor, const char *name, void *value, unsigned long size);

// <sys/statfs.h>; the buffer is a struct statfs of less than 256 bytes, which begins with the type as a long.
int statfs(const char *path, void *buffer);
// <malloc.h>
int malloc_trim(unsigned long pad);

// <sched.h>
int sched_getaffinity(int process, size_t size, void *set);
int sched_setaffinity(int process, size_t size, const void *set);

// <stdio.h>
#define RENAME_EXCHANGE 2
int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned flags);

// <unistd.h>
int pipe2(int ends[2], int flags);
// fork under another name, because Swift does not import it. The process must have one thread.
int portative_fork(void) __asm__("fork");

// <sys/prctl.h>
#define PR_SET_PDEATHSIG 1
int prctl(int option, ...);
static inline int portative_set_parent_death_signal(int number) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)number);
}

#endif
