import RenderCore

/// The transport of a metronome without a host transport: 4/4 from beat 0 on.
///
/// Realtime: yes.
struct FreeRun: BitwiseCopyable {
  private let sampleRate: Double
  private(set) var isOn = false
  /// The transport at the last change of tempo.
  private var start = Transport()
  /// The number of frames since then. Counting from there prevents rounding errors from accumulating over hours.
  private var frames = 0

  @_noLocks init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// The transport at the current frame.
  var transport: Transport {
    @_noLocks get { start.after(frames: frames, sampleRate: sampleRate) }
  }

  @_noLocks mutating func stop() { isOn = false }

  /// Starts at beat 0 if it is off; otherwise continues at the new tempo.
  ///
  /// - Parameter tempo: Beats per minute.
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
