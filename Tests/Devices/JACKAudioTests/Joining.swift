import Glibc
import JACKAudio
import LiveAudio
import LiveMIDI
import LocalSystem

/// Connects to a JACK server as soon as it is available, within 30 seconds.
///
/// - Parameter environment: The environment variables; by default without a session manager.
func join(
  _ server: String, client name: String = "Portative", _ signals: GraphSignals = GraphSignals(),
  timeline: JACKTimeline = JACKTimeline(), store: JACKConnectionStore? = nil, connects: Bool = true,
  in environment: ProcessEnvironment = ProcessEnvironment(variables: [:])
) throws -> JACKDevice {
  let deadline = ContinuousClock.now + .seconds(30)
  while true {
    do {
      return try JACKDevice(
        server: server, client: name, signals, timeline: timeline, store: store, connects: connects,
        in: environment)
    } catch {
      if ContinuousClock.now > deadline { throw error }
      usleep(20_000)
    }
  }
}
