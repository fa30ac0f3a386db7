package import LiveAudio

extension TakeRecorder {
  /// Returns a tap for a unit with a thread of its own.
  package func tap(for port: String, sound: ZoneSound? = nil) -> TakeTap {
    tap(for: port, sound: sound, through: addFIFO())
  }
}
