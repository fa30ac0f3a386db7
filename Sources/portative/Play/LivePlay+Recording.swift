import Glibc
import SongHost
import MIDIFile
import OfflineRenderer

extension LivePlay {
  /// Begins, goes on with or ends a recording, as the transport has it.
  func record() throws(Failure) {
    let isWanted = host.song.isRecording
    if isWanted, recording == nil {
      recordings += 1
      let wish = options.record ?? "\(LiveRecording.stem(options.song.inputs[0])) take.wav"
      let isAsked = options.record != nil && recordings == 1
      let name = isAsked ? wish : LiveRecording.freeName(wish) { access($0, F_OK) == 0 }
      recording = try LiveRecording(
        to: name, sampleRate: range.timeline.sampleRate, range.timeline.beatMap)
      say("recording to \(name)")
    }
    try recording?.drain(host)
    if !isWanted, let sentence = try endRecording() { say(sentence) }
  }

  /// - Returns: What was written; `nil` where nothing was recorded.
  func endRecording() throws(Failure) -> String? {
    guard var ended = recording.take() else { return nil }
    try ended.drain(host)
    let names = try ended.finish()
    return "recorded \(names.joined(separator: " and "))"
  }
}
