import Glibc
import LiveMIDI
import NodeServer
import PortativeServer

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
      if ContinuousClock.now > deadline {
        throw SoakViolation(
          "not within two minutes: \(what); the device \(sound.isRunning ? "runs" : "does not run"), the scene is "
            + "\(server.isSceneReady ? "played" : "not played"); log:\n\(log.last.joined(separator: "\n"))\n"
        )
      }
      reopenStalledDevice()
      if sound.cycle() == nil { usleep(500) }
    }
  }

  /// Opens a device again that was given up because this machine was too busy to request its cycles. The server would do
  /// so after up to half a minute.
  private func reopenStalledDevice() {
    if log.stalls == stalls { return }
    stalls = log.stalls
    server.restartSound()
  }

  func playUntilReady() throws { try play(until: "the server is ready") { isReady } }
}
