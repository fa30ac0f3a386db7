import Foundation
import LocalSystem
import Testing

/// A JACK server without a sound card, with a name that no other has.
package final class TestJACKServer {
  package let name: String
  private let process = Process()
  private let lock: FileLock?

  package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/jackd")
  /// In CI it is an error that it is not.
  package static let isWanted = isInstalled || ProcessInfo.processInfo.environment["CI"] == "true"

  package init(name: String? = nil, rate: Int = 48_000, frames: Int = 1024) throws {
    (self.name, lock) = try name.map { ($0, nil) } ?? Self.freeName()
    process.executableURL = URL(filePath: "/usr/bin/jackd")
    process.arguments = [
      "-n", self.name, "-r", "-d", "dummy", "-r", "\(rate)", "-p", "\(frames)",
    ]
    process.environment = ["JACK_NO_AUDIO_RESERVATION": "1"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// JACK keeps the place of a server that crashed, of eight in all, until another has its name: so there are few
  /// names, and each is used again.
  private static func freeName() throws -> (String, FileLock) {
    let folder = FileManager.default.temporaryDirectory
    while true {
      for number in 1...4 {
        let name = "portative-test-\(getuid())-\(number)"
        let path = folder.appending(path: name + ".lock").path(percentEncoded: false)
        if let lock = try FileLock.take(path, mode: 0o600) { return (name, lock) }
      }
      usleep(10_000)
    }
  }

  /// Ends it, as a crash would, or orderly.
  package func end(_ signal: CInt = SIGTERM) {
    kill(process.processIdentifier, SIGCONT)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    // What it leaves when it is killed.
    let memory = URL(filePath: "/dev/shm")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: memory.path())) ?? []
    for file in files where file.hasPrefix("jack_") && file.contains(name) {
      try? FileManager.default.removeItem(at: memory.appending(path: file))
    }
  }

  /// Lets it hang.
  package func suspend() { kill(process.processIdentifier, SIGSTOP) }

  deinit { if process.isRunning { end() } }
}
