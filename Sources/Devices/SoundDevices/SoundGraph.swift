import JACKAudio
package import LiveAudio
package import LocalSystem

/// A graph of programs, such as JACK's, in which each port of a server is a client of its own.
///
/// A client of its own can be moved, named and connected like a synthesizer, JACK calls independent clients in parallel,
/// and audio from one port to another arrives in the same cycle.
package struct SoundGraph: Sendable {
  private let timeline = JACKTimeline()
  private let store: JACKConnectionStore
  package let transport = GraphTransport()

  /// - Parameter log: Receives messages about stored connections.
  /// - Returns: `nil` if the device is not a graph.
  package init?(
    _ device: SoundChoice.Device, in environment: ProcessEnvironment,
    log: @escaping @Sendable (String) -> Void
  ) {
    guard device == .jack else { return nil }
    store = JACKConnectionStore(environment, log: log)
  }

  /// Opens the client of a port. Without MIDI, such as an effect or a metronome, it is not connected to the outputs.
  ///
  /// - Parameters:
  ///   - port: The name of the port, which the client is given.
  ///   - takesMIDI: Whether the client has a MIDI input.
  ///   - takesAudio: Whether the client has audio inputs.
  package func open(
    _ port: String, takesMIDI: Bool, takesAudio: Bool
  ) throws(SoundDeviceError) -> any SoundDevice {
    let device = try JACKDevice(
      client: port, JACKInputs(midi: takesMIDI, audio: takesAudio), timeline: timeline,
      store: store, connects: takesMIDI)
    transport.add(device)
    return device
  }
}
