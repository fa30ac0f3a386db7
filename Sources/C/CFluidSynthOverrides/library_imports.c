#define _GNU_SOURCE
#include "library_imports.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *new_fluid_synth(void *settings);

#if defined(__x86_64__)
enum { FUNCTION_SLOT = R_X86_64_JUMP_SLOT, DATA_SLOT = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { FUNCTION_SLOT = R_AARCH64_JUMP_SLOT, DATA_SLOT = R_AARCH64_GLOB_DAT };
#else
enum { FUNCTION_SLOT = -1, DATA_SLOT = -1 };
#endif

/// The dynamic section's entry of a kind as an address; NULL if there is none.
static const void *entry(const struct link_map *library, ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *dynamic = library->l_ld; dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == tag) {
      ElfW(Addr) address = dynamic->d_un.d_ptr;
      // Some loaders relocate these entries, and others do not.
      return (const void *)(address < library->l_addr ? address + library->l_addr : address);
    }
  return NULL;
}

static size_t number(const struct link_map *library, ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *dynamic = library->l_ld; dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == tag) return dynamic->d_un.d_val;
  return 0;
}

/// The addresses of a library's segment of a type, among those with some flags.
struct segment {
  const struct link_map *library;
  ElfW(Word) type, flags;
  uintptr_t begin, end;
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct segment *segment = context;
  if (info->dlpi_addr != segment->library->l_addr) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != segment->type) continue;
    if ((info->dlpi_phdr[i].p_flags & segment->flags) != segment->flags) continue;
    segment->begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    segment->end = segment->begin + info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

/// The library that this module is linked to, also if the process has another.
static const struct link_map *linked_library(void) {
  Dl_info info;
  struct link_map *library = NULL;
  return dladdr1((void *)new_fluid_synth, &info, (void **)&library, RTLD_DL_LINKMAP) ? library : NULL;
}

/// Writes a word of the import table.
static bool write_slot(const struct link_map *library, void **slot, void *value) {
  // What is made read-only once the library is loaded.
  struct segment part = {library, PT_GNU_RELRO, 0, 0, 0};
  dl_iterate_phdr(find_segment, &part);
  bool is_read_only = (uintptr_t)slot >= part.begin && (uintptr_t)slot < part.end;
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)slot & ~(uintptr_t)(size - 1));
  if (is_read_only && mprotect(page, size, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
  if (is_read_only) mprotect(page, size, PROT_READ);
  return true;
}

static int redirect_in(
    const struct link_map *library, const ElfW(Rela) *relocations, size_t bytes,
    const char *name, void *function) {
  const ElfW(Sym) *symbols = entry(library, DT_SYMTAB);
  const char *names = entry(library, DT_STRTAB);
  if (!relocations || !symbols || !names) return 0;
  int found = 0;
  for (size_t i = 0; i < bytes / sizeof *relocations; i++) {
    int type = (int)ELF64_R_TYPE(relocations[i].r_info);
    if (type != FUNCTION_SLOT && type != DATA_SLOT) continue;
    const ElfW(Sym) *symbol = symbols + ELF64_R_SYM(relocations[i].r_info);
    if (strcmp(names + symbol->st_name, name) != 0) continue;
    void **slot = (void **)(library->l_addr + relocations[i].r_offset);
    if (!write_slot(library, slot, function)) return -1;
    found++;
  }
  return found;
}

bool library_import_redirect(const char *name, void *replacement) {
  const struct link_map *library = linked_library();
  if (!library || number(library, DT_PLTREL) != DT_RELA) return false;
  int calls = redirect_in(
      library, entry(library, DT_JMPREL), number(library, DT_PLTRELSZ), name, replacement);
  int addresses = redirect_in(
      library, entry(library, DT_RELA), number(library, DT_RELASZ), name, replacement);
  return calls >= 0 && addresses >= 0 && calls + addresses > 0;
}

bool library_variables(uintptr_t *begin, uintptr_t *end) {
  const struct link_map *library = linked_library();
  if (!library) return false;
  struct segment data = {library, PT_LOAD, PF_W, 0, 0};
  dl_iterate_phdr(find_segment, &data);
  *begin = data.begin;
  *end = data.end;
  return data.begin < data.end;
}
