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

  /// Opens the client of a port. Without MIDI, such as an effect or a metronome, it is not connected to the outputs, except a song.
  ///
  /// - Parameters:
  ///   - port: The name of the port, which the client is given.
  ///   - signals: What the client exchanges with other programs.
  package func open(
    _ port: String, _ signals: GraphSignals
  ) throws(SoundDeviceError) -> any SoundDevice {
    let device = try JACKDevice(
      client: port, signals, timeline: timeline, store: store,
      connects: signals.takesMIDI || signals.isHeard)
    transport.add(device)
    return device
  }
}
