import Glibc

/// Standard input, output and error.
enum StandardStreams {
  /// Opens the streams that the caller has closed, so that no other file gets their descriptors, and messages with
  /// them.
  ///
  /// They are opened for the wrong direction: reading or writing them fails, as on a closed descriptor.
  static func openMissing() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // open() returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
