import CJACK
import LiveAudio
import LiveMIDI

/// A client of a JACK server with two output ports, left and right.
///
/// `@unchecked Sendable`: it is closed once, after all other calls.
///
/// The corresponding C type is `jack_client_t`.
final class JACKClient: @unchecked Sendable {
  let jack: jack_library
  let handle: OpaquePointer
  let left: OpaquePointer
  let right: OpaquePointer
  private let calls = JACKCalls()
  private static let openings = JACKCalls()

  /// The longest time in seconds to wait for a server's answer.
  static let answerLimit = 10.0

  /// The requested client name. JACK appends a number if the name is taken.
  static let name = "Portative"

  /// Connects to a running server; never starts one.
  ///
  /// - Parameter server: The name of the server; `nil` for the default.
  /// - Throws: ``JACKFailure``; `hangs` if the server has not answered within ``answerLimit``.
  static func open(server: String?) throws(JACKFailure) -> JACKClient {
    let result = openings.perform(
      within: answerLimit, discard: { if case .success(let client) = $0 { client.closeNow() } }
    ) { () -> Result<JACKClient, JACKFailure> in
      do throws(JACKFailure) {
        return .success(try JACKClient(server: server))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw .hangs }
    return try result.get()
  }

  private init(server: String?) throws(JACKFailure) {
    guard let library = cjack_load() else { throw .noLibrary }
    jack = library.pointee
    var status = jack_status_t(0)
    guard let client = cjack_open(Self.name, server, &status) else {
      throw JACKFailure(status)
    }
    handle = client
    let (left, right) = (jack.port("out_left", of: client), jack.port("out_right", of: client))
    guard let left, let right else {
      _ = jack.client_close(client)
      throw .noPorts
    }
    self.left = left
    self.right = right
  }

  var clientName: String { jack.get_client_name(handle).map { String(cString: $0) } ?? Self.name }
  var sampleRate: Int { Int(jack.get_sample_rate(handle)) }
  var framesPerCycle: Int { Int(jack.get_buffer_size(handle)) }

  /// Starts the callbacks.
  ///
  /// - Parameters:
  ///   - connects: Whether to connect our ports to the first two physical inputs, or both ports to the only one.
  ///   - context: An object that JACK may use; it is retained until the server has answered.
  /// - Throws: ``JACKFailure``; `hangs` if the server has not answered within ``answerLimit``.
  func activate(connects: Bool, keeping context: any AnyObject & Sendable) throws(JACKFailure) {
    let isActive = calls.perform(within: Self.answerLimit) {
      withExtendedLifetime(context) {
        guard self.jack.activate(self.handle) == 0 else { return false }
        if connects { self.connectToPhysicalInputs() }
        return true
      }
    }
    switch isActive {
    case true: return
    case false: throw .notActive
    case nil: throw .hangs
    }
  }

  private func connectToPhysicalInputs() {
    guard
      let names = jack.get_ports(
        handle, nil, JACK_DEFAULT_AUDIO_TYPE,
        UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue))
    else { return }
    defer { jack.free(names) }
    guard let first = names[0] else { return }
    _ = jack.connect(handle, jack.port_name(left), first)
    _ = jack.connect(handle, jack.port_name(right), names[1] ?? first)
  }

  /// Closes the client, after a call that the server has not answered yet.
  ///
  /// - Parameters:
  ///   - seconds: The longest time to wait.
  ///   - context: An object that JACK may use until the client is closed; it is retained until then.
  func close(within seconds: Double, keeping context: (any AnyObject & Sendable)? = nil) {
    _ = calls.perform(within: seconds) { withExtendedLifetime(context) { self.closeNow() } }
  }

  private func closeNow() { _ = jack.client_close(handle) }
}

extension jack_library {
  fileprivate func port(_ name: String, of client: OpaquePointer) -> OpaquePointer? {
    port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
  }
}
