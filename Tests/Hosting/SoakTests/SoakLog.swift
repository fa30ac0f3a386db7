import NodeProtocol
import PortativeServer
import Synchronization
import WebPanel

/// The log of a server in a soak. It keeps the errors that no actor causes.
final class SoakLog: ServerObserver, PanelHost {
  private let state = Mutex(State())

  private struct State {
    var errors: [String] = []
    var isDiskFull = false
    var stalls = 0
    var lines: [String] = []
    var count = 0
  }

  /// Parts of the errors that actors cause, and that of a stall on a busy machine.
  private static let expected = [
    "the sound device is lost: unplugged", "no sound from 'soak'",
    "the device requests no more audio",
    "is the first scene", "is the last scene",
    "the recording has ended, the sound continues: ",
  ]

  /// The unexpected errors.
  var errors: [String] { state.withLock { $0.errors } }

  /// The last lines.
  var last: ArraySlice<String> { state.withLock { $0.lines.suffix(20) } }

  func log(_ message: String) {
    state.withLock { state in
      state.count += 1
      state.lines = state.lines.suffix(199) + [message]
    }
  }

  func log(warning: String) { log("warning: \(warning)") }

  func log(error: String) {
    log("error: \(error)")
    state.withLock { state in
      if error.contains("requests no more audio") { state.stalls += 1 }
      if error.contains("No space left on device") {
        state.isDiskFull = true
        // The end of the recording may not find room either.
        if error.hasPrefix("what keyboards played was not recorded: ") { return }
      }
      if !Self.expected.contains(where: error.contains) { state.errors.append(error) }
    }
  }

  /// How often a device was given up because it did not request a cycle for a second.
  var stalls: Int { state.withLock { $0.stalls } }
  /// Whether a recording has ended because the disk was full.
  var isDiskFull: Bool { state.withLock { $0.isDiskFull } }

  func logLines(from number: Int) -> (lines: [String], next: Int) {
    state.withLock { state in
      (Array(state.lines.suffix(max(0, state.count - number))), state.count)
    }
  }

  func findings() -> [PanelFinding] { [] }
  func wiring() -> PanelWiring? { nil }

  func connect(_ isConnected: Bool, _ keyboard: String, to port: String) throws {
    throw ProtocolError(.commandFailed, "there is no sequencer")
  }

  func saveTake(
    of component: ComponentDescription, from: Double, to: Double?, in path: String
  ) throws {
    throw ProtocolError(.commandFailed, "there is no folder for takes")
  }
}
