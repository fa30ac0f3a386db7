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

/// The part of a library that is made read-only once the library is loaded (RELRO).
struct read_only_part {
  const struct link_map *library;
  uintptr_t begin, end;
};

static int find_read_only_part(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct read_only_part *part = context;
  if (info->dlpi_addr != part->library->l_addr) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_GNU_RELRO) continue;
    part->begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    part->end = part->begin + info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

/// Writes a word of the import table.
static bool write_slot(const struct link_map *library, void **slot, void *value) {
  struct read_only_part part = {library, 0, 0};
  dl_iterate_phdr(find_read_only_part, &part);
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
  Dl_info info;
  struct link_map *library = NULL;
  // The library that this module is linked to, also if the process has another.
  if (!dladdr1((void *)new_fluid_synth, &info, (void **)&library, RTLD_DL_LINKMAP) || !library)
    return false;
  if (number(library, DT_PLTREL) != DT_RELA) return false;
  int calls = redirect_in(
      library, entry(library, DT_JMPREL), number(library, DT_PLTRELSZ), name, replacement);
  int addresses = redirect_in(
      library, entry(library, DT_RELA), number(library, DT_RELASZ), name, replacement);
  return calls >= 0 && addresses >= 0 && calls + addresses > 0;
}
