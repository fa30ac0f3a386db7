// Checks the plugins of a file, or renders with one:
//
//   claphost --list [--strict]                                       prints the names of the checks
//   claphost FILE.clap [--plugin ID] [--strict] [--limit SECONDS] [--wait SECONDS] [CHECK…]
//   claphost FILE.clap list                                          prints the plugins as JSON
//   claphost FILE.clap render SECONDS OUTPUT.f32 [OPTION…]           render.c
//
// Each check runs in a process of its own, which loads the file anew, and prints a line: passed, FAILED, or absent if
// the plugin lacks what it is about. Without names, all run except the strict ones, which state more than CLAP asks
// for. In every check, the plugin must not crash, must write each sample of its outputs (a finite one), must not touch
// memory beyond a buffer's end, and must call the host's functions in the threads and at the times that CLAP allows.
// Exit status 0 if no check has failed, 1 if one has, 2 for wrong arguments.
#include "claphost.h"
#include "report.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const Check *const of_file[] = {file_checks, provider_checks, NULL};
static const Check *const of_plugin[] = {instance_checks, port_checks,      parameter_checks, value_checks,
                                         state_checks,    damage_checks,    cycle_checks,     event_checks,
                                         thread_checks,   extension_checks, preset_checks,    NULL};
static const Check *const strict_ones[] = {strict_checks, NULL};

static double limit = 120;
static int failures, passes, absences;

// MARK: A process for each check

__attribute__((noreturn)) static void run_in_process(const Check *check, bool loads) {
  role = MAIN_THREAD;
  if (loads) open_library();
  check->run();
  if (library.entry) {
    library.entry->deinit();
    dlclose(library.handle);
  }
  _exit(STATUS_PASSED);
}

// Waits for the end of a process, and kills it after the limit. Returns whether it was in time.
static bool wait_for_end(pid_t child, const sigset_t *ends, int *status) {
  double latest = now() + limit, rest;
  while (waitpid(child, status, WNOHANG) != child) {
    if ((rest = latest - now()) <= 0) {
      kill(child, SIGKILL);
      waitpid(child, status, 0);
      return false;
    }
    sigtimedwait(ends, NULL, &(struct timespec){(time_t)rest, (long)((rest - floor(rest)) * 1e9)});
  }
  return true;
}

static void run_check(const Check *check, bool loads) {
  // The end of a process stays pending until it is waited for.
  sigset_t ends, before;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, &before);
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK)) abort();
  fflush(NULL);
  double began = now();
  pid_t child = fork();
  if (!child) {
    sigprocmask(SIG_SETMASK, &before, NULL);
    report_descriptor = pipes[1];
    run_in_process(check, loads);
  }
  close(pipes[1]);
  int status = 0;
  bool late = !wait_for_end(child, &ends, &status);
  sigprocmask(SIG_SETMASK, &before, NULL);
  char text[4096] = "";
  ssize_t length = read(pipes[0], text, sizeof text - 128);
  close(pipes[0]);
  text[length > 0 ? length : 0] = 0;
  if (late) sprintf(text + strlen(text), "it takes longer than %g s\n", limit);
  else if (WIFSIGNALED(status))
    sprintf(text + strlen(text), "signal %d: %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
  bool is_absent = !late && WIFEXITED(status) && WEXITSTATUS(status) == STATUS_ABSENT;
  bool passed = !late && WIFEXITED(status) && WEXITSTATUS(status) == STATUS_PASSED;
  printf("%s %6.2f s  %s%s%s\n",
         is_absent ? "absent"
         : passed  ? "passed"
                   : "FAILED",
         now() - began, check->name, plugin_id ? "  " : "", plugin_id ? plugin_id : "");
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) printf("       %s\n", line);
  fflush(stdout);
  if (is_absent) absences++;
  else if (passed) passes++;
  else failures++;
}

// Returns the IDs of the file's plugins, which a process of its own reads.
static char **plugin_ids(int *count) {
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC)) abort();
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    role = MAIN_THREAD;
    open_library();
    FILE *output = fdopen(pipes[1], "w");
    for (uint32_t i = 0; i < library.factory->get_plugin_count(library.factory); i++)
      fprintf(output, "%s\n", library.factory->get_plugin_descriptor(library.factory, i)->id);
    fclose(output);
    _exit(0);
  }
  close(pipes[1]);
  FILE *input = fdopen(pipes[0], "r");
  char **ids = NULL, *line = NULL;
  size_t size = 0;
  *count = 0;
  while (getline(&line, &size, input) > 0) {
    line[strcspn(line, "\n")] = 0;
    ids = realloc(ids, sizeof *ids * (size_t)(*count + 1));
    ids[(*count)++] = strdup(line);
  }
  free(line);
  fclose(input);
  int status;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status)) exit(1);
  return ids;
}

// MARK: Selection

static bool is_selected(const Check *check, char **names, int count, bool all) {
  for (int i = 0; i < count; i++)
    if (!strcmp(check->name, names[i])) return true;
  return !count && all;
}

static int run_lists(const Check *const *lists, char **names, int count, bool all) {
  int selected = 0;
  for (; *lists; lists++)
    for (const Check *check = *lists; check->name; check++)
      if (is_selected(check, names, count, all)) {
        // The checks of files load the file themselves, because the scan's time is one of them.
        run_check(check, *lists != file_checks);
        selected++;
      }
  return selected;
}

static void print_names(const Check *const *lists) {
  for (; *lists; lists++)
    for (const Check *check = *lists; check->name; check++) puts(check->name);
}

static bool is_name(const char *name, const Check *const *lists) {
  for (; *lists; lists++)
    for (const Check *check = *lists; check->name; check++)
      if (!strcmp(check->name, name)) return true;
  return false;
}

__attribute__((noreturn)) static void usage(const char *message, const char *word) {
  fprintf(stderr,
          "claphost: %s%s\nusage: claphost FILE.clap [--plugin ID] [--strict] [--limit SECONDS]\n"
          "                [--wait SECONDS] [CHECK…]\n"
          "       claphost FILE.clap list | render SECONDS OUTPUT.f32 [OPTION…]\n       claphost --list\n",
          message, word);
  exit(2);
}

int main(int count, char **arguments) {
  if (count < 2) usage("no file", "");
  if (!strcmp(arguments[1], "--list")) {
    print_names(of_file);
    print_names(of_plugin);
    if (count > 2 && !strcmp(arguments[2], "--strict")) print_names(strict_ones);
    return 0;
  }
  // Plugins find what lies beside them by an absolute path.
  path = realpath(arguments[1], NULL);
  if (!path) usage("no file ", arguments[1]);
  if (count > 2 && !strcmp(arguments[2], "list")) return role = MAIN_THREAD, list();
  if (count > 2 && !strcmp(arguments[2], "render")) return role = MAIN_THREAD, render(count - 3, arguments + 3);

  char *only = NULL, *names[256];
  int name_count = 0;
  bool strict = false;
  for (int i = 2; i < count; i++) {
    if (!strcmp(arguments[i], "--strict")) strict = true;
    else if (!strcmp(arguments[i], "--plugin") && i + 1 < count) only = arguments[++i];
    else if (!strcmp(arguments[i], "--limit") && i + 1 < count) limit = atof(arguments[++i]);
    else if (!strcmp(arguments[i], "--wait") && i + 1 < count) longest_wait = atof(arguments[++i]);
    else if (name_count < 256 &&
             (is_name(arguments[i], of_file) || is_name(arguments[i], of_plugin) || is_name(arguments[i], strict_ones)))
      names[name_count++] = arguments[i];
    else usage("no check or option ", arguments[i]);
  }
  run_lists(of_file, names, name_count, true);
  int id_count;
  char **ids = plugin_ids(&id_count);
  bool found = false;
  for (int i = 0; i < id_count; i++) {
    if (only && strcmp(only, ids[i])) continue;
    found = true;
    plugin_id = ids[i];
    run_lists(of_plugin, names, name_count, true);
    run_lists(strict_ones, names, name_count, strict);
  }
  if (!found) usage("the file has no plugin ", only ? only : "");
  printf("%d passed, %d failed, %d absent\n", passes, failures, absences);
  return failures ? 1 : 0;
}
