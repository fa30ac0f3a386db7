package import Foundation
import Glibc

/// A pseudo terminal whose master side belongs to the test.
package final class PseudoTerminal {
  /// The descriptor of the program's side.
  package let descriptor: CInt
  private let master: CInt
  private var text = ""
  /// The number of UTF-8 bytes of `text` up to the end of the last match.
  private var matchedBytes = 0

  package struct Failure: Error {}

  /// What has appeared after the last match.
  package var rest: String {
    String(decoding: Array(text.utf8.dropFirst(matchedBytes)), as: UTF8.self)
  }

  package init() throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, isLocked) = (CInt(0), CInt(0))
    // TIOCGPTN and TIOCSPTLCK; Swift cannot import the macros.
    guard master >= 0, ioctl(master, 0x8004_5430, &number) == 0,
      ioctl(master, 0x4004_5431, &isLocked) == 0
    else { throw Failure() }
    descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    guard descriptor >= 0, ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure() }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(descriptor)
    close(master)
  }

  /// Starts the built program in the foreground of the terminal.
  package func start(
    _ arguments: [String], _ variables: [String: String], folder: String
  ) throws -> Process {
    // A new session, whose controlling terminal this becomes.
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

  /// The foreground process group of the terminal.
  package var foreground: pid_t { tcgetpgrp(master) }

  package func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Waits up to twenty seconds until a text appears after the last match.
  ///
  /// - Returns: Whether the text appeared.
  package func shows(_ sought: String) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    repeat {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(master, &bytes, bytes.count)
      if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
      let rest = text.utf8.dropFirst(matchedBytes)
      if let range = Substring(rest).firstRange(of: sought) {
        matchedBytes = text.utf8.distance(from: text.utf8.startIndex, to: range.upperBound)
        return true
      }
      if count <= 0 { usleep(5000) }
    } while ContinuousClock.now < deadline
    return false
  }
}
