import CJACK
import Dispatch
import LiveAudio
import LiveMIDI
import Threads

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

  /// The requested client name. JACK appends a number if the name is taken.
  static let name = "Portative"

  /// Connects to a running server; never starts one.
  ///
  /// - Parameter server: The name of the server; `nil` for the default.
  init(server: String?) throws(JACKFailure) {
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

  /// Connects our ports to the first two physical inputs, or both ports to the only one.
  func connectToPhysicalInputs() {
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

  /// Closes the client on a separate thread, because a hanging server blocks the call.
  ///
  /// - Parameters:
  ///   - seconds: The longest time to wait.
  ///   - context: An object that JACK may use until the client is closed; it is retained until then.
  func close(within seconds: Double, keeping context: (any AnyObject & Sendable)? = nil) {
    let isClosed = DispatchSemaphore(value: 0)
    let thread = try? SystemThread(name: "portative-jack") {
      withExtendedLifetime(context) { _ = self.jack.client_close(self.handle) }
      isClosed.signal()
    }
    guard let thread else {
      _ = jack.client_close(handle)
      return
    }
    thread.detach()
    _ = isClosed.wait(timeout: .now() + seconds)
  }
}

extension jack_library {
  fileprivate func port(_ name: String, of client: OpaquePointer) -> OpaquePointer? {
    port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
  }
}
