/// The position and transport state of a song, for another host to continue.
package struct SongPosition: Equatable, Sendable {
  package var frame: Int64
  package var isPlaying: Bool
  package var isRecording: Bool
  package var isLooping: Bool
}
