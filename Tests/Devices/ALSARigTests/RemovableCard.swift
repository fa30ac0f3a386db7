import Glibc
import TestSupport

/// The second card of snd-aloop, which can be unbound from its driver as if it were unplugged.
enum RemovableCard {
  /// - Returns: A thread that blocks until the card is no longer in use.
  static func unplug() -> TestThread { TestThread { write("unbind") } }

  static func plug() { write("bind") }

  private static func write(_ file: String) {
    let descriptor = open("/sys/bus/platform/drivers/snd_aloop/\(file)", O_WRONLY)
    Glibc.write(descriptor, "snd_aloop.1", 11)
    close(descriptor)
  }
}
