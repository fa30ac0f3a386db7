/// The position and transport state of a song, for another host to continue.
package struct SongPosition: Equatable, Sendable {
  package var frame: Int64
  package var isPlaying: Bool
  package var isRecording: Bool
  package var isLooping: Bool

  package init(frame: Int64, isPlaying: Bool, isRecording: Bool, isLooping: Bool) {
    self.frame = frame
    self.isPlaying = isPlaying
    self.isRecording = isRecording
    self.isLooping = isLooping
  }
}
