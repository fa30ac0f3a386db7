import CJACK
import Dispatch
import LiveAudio
import LiveMIDI
import Threads

/// A client of a JACK server, with a port for each ear.
///
/// `@unchecked Sendable`: it is closed once, after all else.
///
/// The corresponding C type is `jack_client_t`.
final class JACKClient: @unchecked Sendable {
  let jack: jack_library
  let handle: OpaquePointer
  let left: OpaquePointer
  let right: OpaquePointer

  /// What other programs know us by; JACK adds a number where another client has the name.
  static let name = "Portative"

  /// - Parameter server: Its name; `nil`: the usual one. It is not started.
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

  /// Connects our ports with those that people hear: the first two inputs of a device, or both with the only
  /// one.
  func connectWithDevice() {
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

  /// Leaves the server, on a thread of its own: one that hangs keeps it waiting.
  ///
  /// - Parameter context: What JACK may still use until it has left.
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
