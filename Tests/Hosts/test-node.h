// What the nodes of the tests share: their program, which serves one port until SIGTERM, or writes its manifest.
#pragma once
#define _DEFAULT_SOURCE
#include <portative/node.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *name, const portative_error *error) {
  fprintf(stderr, "%s: %s\n", name, portative_error_message(error));
  return 1;
}

// `arguments` are those of the program: --install writes the manifest, with which hosts start the node.
static int run_node(const char *name, const portative_port *port, const portative_unit_functions *functions, int count,
                    char **arguments) {
  portative_error *error = portative_error_create();
  if (count > 1 && !strcmp(arguments[1], "--install")) {
    char *program = realpath("/proc/self/exe", NULL);
    const char *command[] = {program};
    return portative_manifest_write(name, command, 1, &port, 1, NULL, error) ? fail(name, error) : 0;
  }
  // Blocked before the node starts its threads, so that only `sigwait` receives it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  portative_node_options options = {.size = sizeof options, .name = name};
  portative_node *node = portative_node_create(&options, error);
  if (!node || !portative_node_publish(node, port, functions, NULL, error)) return fail(name, error);
  int signal;
  sigwait(&signals, &signal);
  portative_node_free(node);
  return 0;
}
