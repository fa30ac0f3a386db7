/// The demo song: variations over the ground of Johann Pachelbel's Canon in D, about 1690.
///
/// The ground, the theme and the running variation are Pachelbel's; the instruments, the
/// accompaniment, the solo and the drums are this arrangement's.
public enum CanonInD {
  /// The whole file, `demo.mid`. The same bytes on every machine.
  public static func midiFile() -> [UInt8] {
    var song = SongFile()
    song.tracks.append(conductor())
    song.tracks += parts().map { $0.events }
    return song.bytes()
  }

  /// Beats of one time through the ground: eight chords of two beats.
  static let cycle = 16.0
  /// The first beat of the n-th time through; one beat is left for setting up.
  static func start(_ n: Int) -> Double { 1 + cycle * Double(n) }
  static let cycles = 7

  private static func conductor() -> [SongFile.Event] {
    let end = start(cycles)
    func tick(_ beat: Double) -> Int { Int(beat * Double(SongFile.ticksPerBeat)) }
    var events = [
      SongFile.text(0x03, "Canon in D"), SongFile.text(0x01, "Johann Pachelbel, arranged"),
      SongFile.text(0x02, "CC0 1.0"), SongFile.generalMIDIOn,
    ]
    let tempi: [(beat: Double, tempo: Double)] = [
      (0, 88), (start(1), 90), (start(2), 93), (start(3) - 1, 91), (start(3), 95), (start(5), 96),
      (end - 4, 93), (end - 3, 88), (end - 2, 80), (end - 1, 68), (end, 60),
    ]
    events += tempi.map { SongFile.tempo(beatsPerMinute: $0.tempo, tick: tick($0.beat)) }
    return events
  }

  // What Pachelbel wrote, in the notation of ``Notation``.

  static let ground = "D3/2 A2 B2 F#2 G2 D2 G2 A2"
  static let chords =
    "F#3+A3+D4/2 E3+A3+C#4 F#3+B3+D4 F#3+A3+C#4 G3+B3+D4 F#3+A3+D4 G3+B3+D4 G3+A3+C#4"
  static let theme = "F#5/2 E5 D5 C#5 B4 A4 B4 C#5"
  static let second = "D5/2 C#5 B4 A4 G4 F#4 G4 E4"
  static let walking = "D5/1 F#5 A5 G5 F#5 D5 F#5 E5 D5 B4 D5 A4 G4 B4 A4 G4"
  static let running = """
    A5/0.5 F#5/0.25 G5 A5/0.5 F#5/0.25 G5 A5 A4 B4 C#5 D5 E5 F#5 G5 \
    F#5/0.5 D5/0.25 E5 F#5/0.5 F#4/0.25 G4 A4 B4 A4 G4 A4 F#4 G4 A4 \
    G4/0.5 B4/0.25 A4 G4/0.5 F#4/0.25 E4 F#4 E4 D4 E4 F#4 G4 A4 B4 \
    G4/0.5 B4/0.25 A4 B4/0.5 C#5/0.25 D5 A4 B4 C#5 D5 E5 F#5 G5 A5
    """
}
