import LiveAudio

@testable import PortativeServer

extension PortativeServer {
  var isSceneReady: Bool { scenes.isPlayed }
  /// The number of events of keyboards that takes have lost.
  var lostEventsOfTakes: Int { devices.takes.lost }
}
