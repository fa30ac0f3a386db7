#define _GNU_SOURCE
#include "CRealtimeProbe.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "system_calls.h"

/// Whether the thread is in a watched section.
static _Thread_local bool is_watched;

// The functions whose calls are counted: result, name, kind, parameters, arguments.
#define FUNCTIONS(FUNCTION)                                                                        \
  FUNCTION(void *, malloc, PROBE_ALLOCATION, (size_t size), (size))                                \
  FUNCTION(void *, calloc, PROBE_ALLOCATION, (size_t count, size_t size), (count, size))           \
  FUNCTION(void *, realloc, PROBE_ALLOCATION, (void *memory, size_t size), (memory, size))         \
  FUNCTION(void *, aligned_alloc, PROBE_ALLOCATION, (size_t alignment, size_t size),               \
           (alignment, size))                                                                      \
  FUNCTION(void *, memalign, PROBE_ALLOCATION, (size_t alignment, size_t size), (alignment, size)) \
  FUNCTION(int, posix_memalign, PROBE_ALLOCATION, (void **memory, size_t alignment, size_t size),  \
           (memory, alignment, size))                                                              \
  FUNCTION(int, pthread_mutex_lock, PROBE_LOCK, (pthread_mutex_t * mutex), (mutex))                \
  FUNCTION(int, pthread_mutex_timedlock, PROBE_LOCK,                                               \
           (pthread_mutex_t * mutex, const struct timespec *limit), (mutex, limit))                \
  FUNCTION(int, pthread_rwlock_rdlock, PROBE_LOCK, (pthread_rwlock_t * lock), (lock))              \
  FUNCTION(int, pthread_rwlock_wrlock, PROBE_LOCK, (pthread_rwlock_t * lock), (lock))              \
  FUNCTION(int, pthread_cond_wait, PROBE_LOCK, (pthread_cond_t * condition, pthread_mutex_t * m),  \
           (condition, m))                                                                         \
  FUNCTION(int, pthread_cond_timedwait, PROBE_LOCK,                                                \
           (pthread_cond_t * condition, pthread_mutex_t * m, const struct timespec *limit),        \
           (condition, m, limit))                                                                  \
  FUNCTION(int, pthread_join, PROBE_LOCK, (pthread_t thread, void **result), (thread, result))     \
  FUNCTION(int, sem_wait, PROBE_LOCK, (sem_t * semaphore), (semaphore))                            \
  FUNCTION(int, sem_timedwait, PROBE_LOCK, (sem_t * semaphore, const struct timespec *limit),      \
           (semaphore, limit))

enum {
#define INDEX(result, name, kind, parameters, arguments) INDEX_##name,
  FUNCTIONS(INDEX) INDEX_free,
  FUNCTION_COUNT
#undef INDEX
};

static _Atomic uint64_t counts[FUNCTION_COUNT];
static _Atomic uint64_t system_calls[SYSTEM_CALL_COUNT];

static void increase(_Atomic uint64_t *counter) {
  if (is_watched) atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

#define REPLACEMENT(result, name, kind, parameters, arguments)                                     \
  static result counted_##name parameters {                                                        \
    increase(&counts[INDEX_##name]);                                                                  \
    return name arguments;                                                                         \
  }
FUNCTIONS(REPLACEMENT)

static void counted_free(void *memory) {
  if (memory) increase(&counts[INDEX_free]);
  free(memory);
}

static const struct {
  const char *name;
  enum realtime_probe_kind kind;
  void *replacement;
} functions[FUNCTION_COUNT] = {
#define ROW(result, name, kind, parameters, arguments) {#name, kind, (void *)counted_##name},
    FUNCTIONS(ROW){"free", PROBE_ALLOCATION, (void *)counted_free},
#undef ROW
};

// MARK: Tables of libraries

#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_ADDRESS(type)                                                                           \
  ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#else
#define IS_ADDRESS(type) false
#endif

/// What the dynamic section of a library says.
struct dynamic {
  const ElfW(Sym) * symbols;
  const char *names;
  const ElfW(Rela) * tables[2];
  size_t sizes[2];
};

static struct dynamic read_dynamic(const struct dl_phdr_info *library, const ElfW(Dyn) * entry) {
  struct dynamic dynamic = {};
  for (; entry->d_tag != DT_NULL; entry++) {
    // glibc has made these addresses absolute, except in memory that it cannot write.
    const ElfW(Addr) value = entry->d_un.d_ptr;
    void *address = (void *)(value < library->dlpi_addr ? library->dlpi_addr + value : value);
    switch (entry->d_tag) {
      case DT_SYMTAB: dynamic.symbols = address; break;
      case DT_STRTAB: dynamic.names = address; break;
      case DT_JMPREL: dynamic.tables[0] = address; break;
      case DT_PLTRELSZ: dynamic.sizes[0] = entry->d_un.d_val; break;
      case DT_RELA: dynamic.tables[1] = address; break;
      case DT_RELASZ: dynamic.sizes[1] = entry->d_un.d_val; break;
    }
  }
  return dynamic;
}

static void replace(const struct dl_phdr_info *library, const struct dynamic *dynamic) {
  for (int table = 0; table < 2; table++) {
    const ElfW(Rela) *relocation = dynamic->tables[table];
    if (!relocation) continue;
    for (size_t left = dynamic->sizes[table] / sizeof *relocation; left; left--, relocation++) {
      if (!IS_ADDRESS(ELF64_R_TYPE(relocation->r_info)) || relocation->r_addend) continue;
      const ElfW(Sym) *symbol = &dynamic->symbols[ELF64_R_SYM(relocation->r_info)];
      for (size_t index = 0; index < FUNCTION_COUNT; index++)
        if (!strcmp(dynamic->names + symbol->st_name, functions[index].name))
          *(void **)(library->dlpi_addr + relocation->r_offset) = functions[index].replacement;
    }
  }
}

static int replace_in(struct dl_phdr_info *library, size_t size, void *data) {
  // The program itself calls the functions, and the dynamic linker must not be disturbed.
  if (!library->dlpi_name[0] || strstr(library->dlpi_name, "/ld-") ||
      strstr(library->dlpi_name, "vdso"))
    return 0;
  const ElfW(Phdr) *dynamic = NULL, *protected = NULL;
  for (int index = 0; index < library->dlpi_phnum; index++) {
    if (library->dlpi_phdr[index].p_type == PT_DYNAMIC) dynamic = &library->dlpi_phdr[index];
    if (library->dlpi_phdr[index].p_type == PT_GNU_RELRO) protected = &library->dlpi_phdr[index];
  }
  if (!dynamic) return 0;
  const struct dynamic read =
      read_dynamic(library, (const ElfW(Dyn) *)(library->dlpi_addr + dynamic->p_vaddr));
  if (!read.symbols || !read.names) return 0;
  // The tables are read-only in most libraries.
  uintptr_t begin = 0, end = 0;
  if (protected) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    begin = (library->dlpi_addr + protected->p_vaddr) & ~(page - 1);
    end = (library->dlpi_addr + protected->p_vaddr + protected->p_memsz) & ~(page - 1);
  }
  if (end > begin && mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE)) return 0;
  replace(library, &read);
  if (end > begin) mprotect((void *)begin, end - begin, PROT_READ);
  return 0;
}

void realtime_probe_install(void) {
  dl_iterate_phdr(replace_in, NULL);
  for (size_t index = 0; index < FUNCTION_COUNT; index++) atomic_store(&counts[index], 0);
  for (size_t number = 0; number < SYSTEM_CALL_COUNT; number++)
    atomic_store(&system_calls[number], 0);
}

// MARK: Denormal numbers

#if defined(__x86_64__)
static void forget_denormals(void) { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x3Fu); }
static bool has_denormals(void) { return __builtin_ia32_stmxcsr() & 2; }
#else
static void forget_denormals(void) {}
static bool has_denormals(void) { return false; }
#endif

bool realtime_probe_finds_denormals(void) {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

// MARK: Sections

void realtime_probe_begin(void) {
  forget_denormals();
  is_watched = true;
  system_calls_watch();
}

bool realtime_probe_end(void) {
  system_calls_ignore();
  is_watched = false;
  return has_denormals();
}

void system_calls_count(long number) {
  if (number >= 0 && number < SYSTEM_CALL_COUNT) increase(&system_calls[number]);
}

bool realtime_probe_counts_system_calls(void) { return system_calls_are_watched(); }

size_t realtime_probe_figures(struct realtime_probe_figure *figures, size_t capacity) {
  size_t length = 0;
  for (size_t index = 0; index < FUNCTION_COUNT && length < capacity; index++) {
    const uint64_t count = atomic_load(&counts[index]);
    if (count)
      figures[length++] =
          (struct realtime_probe_figure){functions[index].name, functions[index].kind, count};
  }
  for (long number = 0; number < SYSTEM_CALL_COUNT && length < capacity; number++) {
    const uint64_t count = atomic_load(&system_calls[number]);
    if (count)
      figures[length++] =
          (struct realtime_probe_figure){system_call_name(number), PROBE_SYSTEM_CALL, count};
  }
  return length;
}
