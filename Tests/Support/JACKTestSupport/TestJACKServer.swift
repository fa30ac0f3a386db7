import Foundation
import LocalSystem
import Testing

/// A JACK server with the dummy driver and a unique name.
package final class TestJACKServer {
  package let name: String
  private let process = Process()
  private let lock: FileLock

  package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/jackd")
  /// Whether to run tests that need `jackd`: if it is installed, and always in CI, where they then fail without it.
  package static let isRequired = isInstalled || ProcessInfo.processInfo.environment["CI"] == "true"

  /// - Parameters:
  ///   - earlier: A server that has ended, whose name this one gets; `nil` for a name of its own.
  ///   - milliseconds: The time for which the server waits for a client in each cycle; `nil`: a client that is late misses
  ///     the cycle.
  package init(
    after earlier: TestJACKServer? = nil, rate: Int = 48_000, frames: Int = 1024,
    waiting milliseconds: Int? = nil
  ) throws {
    // With the lock, which the earlier server no longer keeps when it is released.
    (name, lock) = try earlier.map { ($0.name, $0.lock) } ?? Self.freeName()
    process.executableURL = URL(filePath: "/usr/bin/jackd")
    let patience = milliseconds.map { ["-S", "-t", "\($0)"] } ?? []
    process.arguments =
      ["-n", name, "-r"] + patience + ["-d", "dummy", "-r", "\(rate)", "-p", "\(frames)"]
    process.environment = ["JACK_NO_AUDIO_RESERVATION": "1"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Returns a name that no other test uses, and the lock that reserves it.
  ///
  /// JACK keeps the registry slot of a crashed server, one of eight, until another server has its name. So there are
  /// only four names, which are reused.
  private static func freeName() throws -> (String, FileLock) {
    let folder = FileManager.default.temporaryDirectory
    while true {
      for number in 1...4 {
        let name = "portative-test-\(getuid())-\(number)"
        let path = folder.appending(path: name + ".lock").path(percentEncoded: false)
        if let lock = try FileLock.acquire(path, mode: 0o600) { return (name, lock) }
      }
      usleep(10_000)
    }
  }

  /// Ends the server with a signal: SIGTERM for a regular shutdown, SIGKILL for a crash.
  package func end(_ signal: CInt = SIGTERM) {
    kill(process.processIdentifier, SIGCONT)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    // A killed server leaves these files.
    let memory = URL(filePath: "/dev/shm")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: memory.path())) ?? []
    for file in files where file.hasPrefix("jack_") && file.contains(name) {
      try? FileManager.default.removeItem(at: memory.appending(path: file))
    }
  }

  /// Stops the server's process with SIGSTOP, so that it hangs.
  package func suspend() { kill(process.processIdentifier, SIGSTOP) }
  package func resume() { kill(process.processIdentifier, SIGCONT) }

  deinit { if process.isRunning { end() } }
}
