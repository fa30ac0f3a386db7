import RenderCore

/// The song that a metronome follows where no host gives it one: 4/4 from beat 0 on.
///
/// Realtime: yes.
struct FreeRun: BitwiseCopyable {
  private let sampleRate: Double
  private(set) var isOn = false
  /// Where the tempo was changed last, and the frames since then: so nothing adds up over hours.
  private var start = Transport()
  private var frames = 0

  @_noLocks init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Where the song is at the frame that has been reached.
  var transport: Transport {
    @_noLocks get { start.after(frames: frames, sampleRate: sampleRate) }
  }

  @_noLocks mutating func stop() { isOn = false }

  /// Begins the song, if it has not begun, and goes on at a tempo.
  @_noLocks mutating func play(tempo: Double) {
    if !isOn {
      isOn = true
      start = Transport()
      start.isPlaying = true
    } else if tempo == start.tempo {
      return
    } else {
      start = transport
    }
    frames = 0
    start.tempo = tempo
  }

  @_noLocks mutating func advance(frames: Int) { self.frames += frames }
}
