#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const char *name, const char *word, int minimum, int maximum,
                         int *number) {
  char *end;
  long value = strtol(word, &end, 10);
  if (*word == '\0' || *end != '\0' || value < minimum || value > maximum) {
    fprintf(stderr, "pingpong: %s must be %d ... %d, not '%s'\n", name, minimum, maximum, word);
    return false;
  }
  *number = (int)value;
  return true;
}

/// - Parameter choices: The valid words, terminated by a null pointer.
static bool parse_choice(const char *name, const char *word, const char **choices, int *index) {
  for (*index = 0; choices[*index]; ++*index)
    if (strcmp(word, choices[*index]) == 0) return true;
  fprintf(stderr, "pingpong: %s must be", name);
  for (int each = 0; choices[each]; ++each)
    fprintf(stderr, "%s %s", each == 0 ? "" : " or", choices[each]);
  fprintf(stderr, ", not '%s'\n", word);
  return false;
}

int parse_options(char **arguments, Options *options) {
  *options = (Options){.frames = 64, .cycles = 20000, .priority = 70, .placement = ANY_CPU};
  for (; *arguments; ++arguments) {
    const char *name = *arguments;
    if (strcmp(name, "--touch") == 0) {
      options->touches = true;
      continue;
    }
    const char *value = arguments[1];
    if (!value) {
      fprintf(stderr, "pingpong: unknown option '%s', or its value is missing\n", name);
      return 2;
    }
    int choice = 0;
    bool is_valid;
    if (strcmp(name, "--frames") == 0) {
      is_valid = parse_number(name, value, 1, MAXIMUM_FRAMES, &options->frames);
    } else if (strcmp(name, "--cycles") == 0) {
      is_valid = parse_number(name, value, 1, MAXIMUM_CYCLES, &options->cycles);
    } else if (strcmp(name, "--rate") == 0) {
      is_valid = parse_number(name, value, 0, 192000, &options->rate);
    } else if (strcmp(name, "--priority") == 0) {
      is_valid = parse_number(name, value, 1, 90, &options->priority);
    } else if (strcmp(name, "--policy") == 0) {
      is_valid = parse_choice(name, value, (const char *[]){"other", "fifo", NULL}, &choice);
      options->is_fifo = choice == 1;
    } else if (strcmp(name, "--cpu") == 0) {
      is_valid = parse_choice(name, value, (const char *[]){"same", "two", "free", NULL}, &choice);
      options->placement = (Placement)choice;
    } else {
      fprintf(stderr, "pingpong: unknown option '%s'\n", name);
      return 2;
    }
    if (!is_valid) return 2;
    ++arguments;
  }
  return 0;
}
