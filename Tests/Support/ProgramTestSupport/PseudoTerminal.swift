package import Foundation
import Glibc

/// A terminal whose other end is the test.
package final class PseudoTerminal {
  /// Of the program's end.
  package let descriptor: CInt
  private let own: CInt
  private var text = ""
  /// How much of it has been found.
  private var seen = 0

  package struct Failure: Error {}

  package init() throws {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, isLocked) = (CInt(0), CInt(0))
    // TIOCGPTN and TIOCSPTLCK, whose macros Swift cannot read.
    guard own >= 0, ioctl(own, 0x8004_5430, &number) == 0, ioctl(own, 0x4004_5431, &isLocked) == 0
    else { throw Failure() }
    descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    guard descriptor >= 0, ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure() }
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(descriptor)
    close(own)
  }

  /// Starts the built program as its foreground.
  package func start(
    _ arguments: [String], _ variables: [String: String], folder: String
  ) throws -> Process {
    // A session of its own, which takes the terminal as its controlling one.
    let program = Process()
    program.executableURL = URL(filePath: "/usr/bin/setsid")
    program.arguments = ["--ctty", "--wait", Program.path.path()] + arguments
    program.currentDirectoryURL = URL(filePath: folder)
    program.environment = variables.merging(["TERM": "xterm", "LANG": "C"]) { _, new in new }
    let end = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    (program.standardInput, program.standardOutput, program.standardError) = (end, end, end)
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    try program.run()
    return program
  }

  /// The process that has the terminal.
  package var foreground: pid_t { tcgetpgrp(own) }

  package func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(own, bytes, bytes.count)
  }

  /// Whether some text comes, after what was found last; twenty seconds are waited.
  package func shows(_ sought: String) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    repeat {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(own, &bytes, bytes.count)
      if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
      let rest = text.utf8.dropFirst(seen)
      if let range = Substring(rest).firstRange(of: sought) {
        seen = text.utf8.distance(from: text.utf8.startIndex, to: range.upperBound)
        return true
      }
      if count <= 0 { usleep(5000) }
    } while ContinuousClock.now < deadline
    return false
  }
}
