import Glibc
import LV2Host
import LocalSystem
import Synchronization

/// Reads what the process of a plugin writes to standard output and standard error, on a thread of its own.
///
/// It ends when it is released, after it has read what was written until then. The process is not disturbed.
final class PluginOutput: Sendable {
  /// The end for the process, until ``closeFarEnd()``.
  let farEnd: CInt
  private let ownEnd: CInt
  private let thread: SystemThread
  /// The bytes of a line that are kept. The rest is a line of its own.
  private static let longestLine = 4096

  /// - Parameter log: Receives the lines; `nil`: nothing does.
  init(to log: PluginLog?) throws(SystemError) {
    // A socket, because a thread that waits for a pipe cannot be woken.
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    if socketpair(AF_UNIX, kind, 0, &ends) != 0 { throw SystemError(call: "socketpair") }
    let (farEnd, ownEnd) = (ends[0], ends[1])
    (self.farEnd, self.ownEnd) = (farEnd, ownEnd)
    do throws(SystemError) {
      thread = try SystemThread(name: "portative-log", stackSize: 256 << 10) {
        Self.read(ownEnd) { log?.write($0) }
        log?.end()
      }
    } catch {
      close(farEnd)
      close(ownEnd)
      throw error
    }
  }

  deinit {
    // The thread reads what is there, and then the end.
    shutdown(ownEnd, CInt(SHUT_RD))
    thread.join()
    close(ownEnd)
  }

  /// Closes the end for the process, which has a copy.
  func closeFarEnd() { close(farEnd) }

  private static func read(_ descriptor: CInt, _ body: (String) -> Void) {
    var line: [UInt8] = []
    func endLine() {
      if !line.isEmpty { body(String(decoding: line, as: UTF8.self)) }
      line.removeAll(keepingCapacity: true)
    }
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      for byte in buffer[..<count] {
        let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        if !isEnd { line.append(byte) }
        if isEnd || line.count == longestLine { endLine() }
      }
    }
    endLine()
  }
}
