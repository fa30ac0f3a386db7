import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem

@testable import JACKAudio

/// Joins a JACK server as soon as it is there; in 30 seconds it has to be.
///
/// - Parameter surroundings: Without a session manager, unless said otherwise.
func join(
  _ server: String, connects: Bool = true,
  in environment: ProcessEnvironment = ProcessEnvironment(variables: [:])
) throws -> JACKDevice {
  let deadline = ContinuousClock.now + .seconds(30)
  while true {
    do {
      return try JACKDevice(server: server, connects: connects, in: environment)
    } catch {
      if ContinuousClock.now > deadline { throw error }
      usleep(20_000)
    }
  }
}
