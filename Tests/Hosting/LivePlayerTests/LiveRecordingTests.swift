import Testing

@testable import LivePlayer

@Test(arguments: [
  ("take.wav", "take.mid"), ("a.b/take", "a.b/take.mid"), ("a/take.1.flac", "a/take.1.mid"),
])
func `the MIDI file has the name of the audio file`(sound: String, midi: String) {
  #expect(LiveRecording.midiName(sound) == midi)
}

@Test(arguments: [("a/song.mid", "song"), ("song", "song"), (".mid", ".mid"), ("a/b.c.mid", "b.c")])
func `a recording is named after its song`(path: String, stem: String) {
  #expect(LiveRecording.stem(path) == stem)
}

@Test func `a recording has a name that is not in use`() {
  let taken: Set = ["take.wav", "take 2.wav", "dir.d/take"]
  #expect(LiveRecording.freeName("take.wav") { taken.contains($0) } == "take 3.wav")
  #expect(LiveRecording.freeName("new.wav") { taken.contains($0) } == "new.wav")
  #expect(LiveRecording.freeName("dir.d/take") { taken.contains($0) } == "dir.d/take 2")
}
