#define _GNU_SOURCE
#include "system_calls.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

const char *system_call_name(long number) {
  static char others[SYSTEM_CALL_COUNT][12];
#define NAME(name)                                                                                 \
  case SYS_##name: return #name;
  switch (number) {
    NAME(read) NAME(write) NAME(readv) NAME(writev) NAME(close) NAME(openat) NAME(lseek) NAME(fstat)
    NAME(mmap) NAME(munmap) NAME(mprotect) NAME(mremap) NAME(madvise) NAME(brk) NAME(futex)
    NAME(nanosleep) NAME(clock_nanosleep) NAME(clock_gettime) NAME(sched_yield) NAME(gettid)
    NAME(getpid) NAME(tgkill) NAME(ioctl) NAME(ppoll) NAME(clone) NAME(rt_sigaction) NAME(rt_sigprocmask) NAME(sendto)
    NAME(sendmsg) NAME(recvfrom) NAME(recvmsg) NAME(exit_group) NAME(getrandom)
    NAME(sched_setscheduler) NAME(prctl)
#ifdef SYS_open
    NAME(open) NAME(poll) NAME(time) NAME(stat) NAME(access)
#endif
#ifdef SYS_clone3
    NAME(clone3)
#endif
  }
  if (!others[number][0]) snprintf(others[number], sizeof others[number], "%ld", number);
  return others[number];
}

#if defined(__x86_64__)

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

enum { ALLOW, BLOCK };

static _Thread_local volatile char selector;
static _Thread_local enum { UNKNOWN, WATCHED, REFUSED } state;
static _Atomic bool is_watched;

// The kernel lets calls from these instructions pass.
long system_calls_perform(long number, const long long *arguments);
void system_calls_return(void);
extern const char system_calls_begin[], system_calls_end[];
__asm__(".pushsection .text\n"
        ".hidden system_calls_begin\n.globl system_calls_begin\nsystem_calls_begin:\n"
        ".hidden system_calls_perform\n.globl system_calls_perform\nsystem_calls_perform:\n"
        "  mov %rdi, %rax\n"
        "  mov %rsi, %r11\n"
        "  mov 0(%r11), %rdi\n"
        "  mov 8(%r11), %rsi\n"
        "  mov 16(%r11), %rdx\n"
        "  mov 24(%r11), %r10\n"
        "  mov 32(%r11), %r8\n"
        "  mov 40(%r11), %r9\n"
        "  syscall\n"
        "  ret\n"
        ".hidden system_calls_return\n.globl system_calls_return\nsystem_calls_return:\n"
        "  mov $15, %eax\n"
        "  syscall\n"
        // The kernel looks at the address of the next instruction.
        "  ud2\n"
        ".hidden system_calls_end\n.globl system_calls_end\nsystem_calls_end:\n"
        ".popsection\n");

/// Blocks and unblocks signals of the interrupted code as it asks, except the signal of the watched calls: the kernel would end
/// the process.
static long set_signals(const long long *arguments, sigset_t *mask) {
  const uint64_t *set = (const uint64_t *)arguments[1];
  uint64_t *old = (uint64_t *)arguments[2], now;
  memcpy(&now, mask, sizeof now);
  if (old) *old = now;
  if (!set) return 0;
  switch (arguments[0]) {
    case SIG_BLOCK: now |= *set; break;
    case SIG_UNBLOCK: now &= ~*set; break;
    default: now = *set;
  }
  now &= ~(UINT64_C(1) << (SIGSYS - 1));
  memcpy(mask, &now, sizeof now);
  return 0;
}

static void handle(int signal, siginfo_t *information, void *context) {
  selector = ALLOW;
  ucontext_t *interrupted = context;
  greg_t *registers = interrupted->uc_mcontext.gregs;
  const long number = registers[REG_RAX];
  system_calls_count(number);
  const long long arguments[] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                 registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  switch (number) {
    case SYS_rt_sigprocmask:
      registers[REG_RAX] = set_signals(arguments, &interrupted->uc_sigmask);
      break;
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_rt_sigreturn:
      // These depend on the stack of the interrupted code, which repeats them. Later calls of the section are not counted.
      registers[REG_RIP] -= 2;
      return;
    default: registers[REG_RAX] = system_calls_perform(number, arguments);
  }
  selector = BLOCK;
}

/// The structure that the kernel receives, whose return the C library would choose itself.
struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

static void begin(void) {
  const struct kernel_action action = {
      handle, SA_SIGINFO | SA_RESTART | 0x04000000 /* SA_RESTORER */, system_calls_return, 0};
  // Threads of this program block signals.
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGSYS);
  pthread_sigmask(SIG_UNBLOCK, &own, NULL);
  const bool is_agreed =
      !syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, sizeof action.mask) &&
      !prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, system_calls_begin,
             system_calls_end - system_calls_begin, &selector);
  state = is_agreed ? WATCHED : REFUSED;
  if (is_agreed) is_watched = true;
}

void system_calls_watch(void) {
  if (state == UNKNOWN) begin();
  if (state == WATCHED) selector = BLOCK;
}

void system_calls_ignore(void) { selector = ALLOW; }

bool system_calls_are_watched(void) { return is_watched; }

#else

void system_calls_watch(void) {}
void system_calls_ignore(void) {}
bool system_calls_are_watched(void) { return false; }

#endif
