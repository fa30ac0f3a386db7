import Glibc

/// Standard input, output and error.
enum StandardStreams {
  /// Opens those that the caller has closed, so that no file of ours gets their numbers, and messages with it.
  ///
  /// They are opened the other way round: reading or writing them fails, as it would have.
  static func openMissing() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
