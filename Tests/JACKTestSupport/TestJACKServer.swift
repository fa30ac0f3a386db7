import Foundation
import Testing

/// A JACK server without a sound card, with a name of its own.
package final class TestJACKServer {
  package let name: String
  private let process = Process()

  package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/jackd")
  /// In CI it is an error that it is not.
  package static let isWanted = isInstalled || ProcessInfo.processInfo.environment["CI"] == "true"

  package init(name: String? = nil, rate: Int = 48_000, frames: Int = 1024) throws {
    self.name = name ?? "portative-test-\(UInt32.random(in: 0 ... .max))"
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

  /// Ends it, as a crash would, or orderly. JACK keeps the place of one that crashed, of eight in all, until
  /// another has had its name.
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
