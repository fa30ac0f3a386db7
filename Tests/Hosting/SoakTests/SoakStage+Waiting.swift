import Glibc
import LiveMIDI
import NodeServer

extension SoakStage {
  /// Whether the device runs if a keyboard is connected, and all sounds of the scene exist.
  var isReady: Bool {
    let isWanted = ports.contains { $0.input.hasSources }
    return (!isWanted || sound.isRunning) && server.isSceneReady
      && ports.allSatisfy { port in
        !port.input.hasSources || port.input.isHosted || port.input.playedUnit != nil
      }
  }

  /// Plays until a condition is true.
  ///
  /// - Throws: ``SoakViolation`` if it is still false after two minutes of real time.
  func play(until what: String, _ condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while !condition() {
      if ContinuousClock.now > deadline { throw SoakViolation("not within two minutes: \(what)") }
      if sound.cycle() == nil { usleep(500) }
    }
  }

  func playUntilReady() throws { try play(until: "the server is ready") { isReady } }
}
