import Foundation
import ProgramTestSupport
import TestSupport

/// A system bus that provides only a simulated RealtimeKit.
final class RealtimeKitBus {
  private let folder: TemporaryFolder
  private let daemon = Process()
  private let service = Process()

  /// Whether the programs and modules that it needs are installed.
  static var isPossible: Bool {
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/python3")
    python.arguments = ["-c", "import dbus, gi"]
    python.standardError = FileHandle.nullDevice
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon"),
      (try? python.run()) != nil
    else { return false }
    python.waitUntilExit()
    return python.terminationStatus == 0
  }

  /// The value for `DBUS_SYSTEM_BUS_ADDRESS`.
  var address: String { "unix:path=\(folder("bus"))" }

  init() throws {
    folder = try TemporaryFolder()
    let configuration = """
      <busconfig>
        <listen>unix:path=\(folder("bus"))</listen>
        <policy context="default">
          <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
    daemon.arguments = [
      "--nofork", "--nopidfile", "--nosyslog",
      "--config-file=\(try folder.put(Data(configuration.utf8), "bus.conf"))",
    ]
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    let deadline = ContinuousClock.now + .seconds(20)
    while access(folder("bus"), F_OK) != 0 {
      if ContinuousClock.now > deadline { throw Program.TimeoutError() }
      usleep(2000)
    }
    let output = Pipe()
    service.executableURL = URL(filePath: "/usr/bin/python3")
    service.arguments = [
      URL(filePath: #filePath).deletingLastPathComponent().appending(path: "realtimekit.py").path(),
      address,
    ]
    service.standardOutput = output
    try service.run()
    // Waits until the service reports that it is ready, or exits.
    _ = output.fileHandleForReading.availableData
  }

  deinit {
    for process in [service, daemon] where process.isRunning {
      kill(process.processIdentifier, SIGKILL)
    }
  }
}
