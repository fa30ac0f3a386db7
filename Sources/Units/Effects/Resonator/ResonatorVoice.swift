import RenderCore

/// A voice: one string per output channel, and the state of its note.
///
/// Realtime: yes.
struct ResonatorVoice: BitwiseCopyable {
  private(set) var stage = Stage.free
  private(set) var channel: UInt8 = 0
  private(set) var key: UInt8 = 0
  /// The number of the note-on; higher for voices that were struck later.
  private(set) var age = 0
  /// The gain of the input.
  private var gate = Glide(0)
  /// The gain of the output.
  private var fade = Glide(0)
  /// The delay of the lines in frames.
  private var delay = Glide(0)
  private var taps = CubicTaps(delay: CubicTaps.shortest)
  /// Whether `taps` are those of the final delay.
  private var isInTune = false
  private var feedback: Float = 0
  private var drive: Float = 0
  /// The number of silent frames since the last audible one.
  private var silentFrames = 0

  enum Stage: UInt8 {
    case free
    /// The key is down.
    case held
    /// The key is up, but the pedal is down.
    case sustained
    /// The note is released, and the string rings out.
    case ringing
    /// The voice was stolen or silenced, and fades out.
    case fading
  }

  /// The level below which a frame counts as silent: −160 dBFS.
  private static var threshold: Float { @_noLocks get { 1e-8 } }

  @_noLocks init() {}

  @_noLocks func `is`(_ stage: Stage) -> Bool { self.stage.rawValue == stage.rawValue }

  /// Whether it belongs to a note.
  var isSounding: Bool { @_noLocks get { !self.is(.free) && !self.is(.fading) } }

  /// The gain of the output.
  var loudness: Double { @_noLocks get { fade.value } }

  /// Starts a note. The strings must be silent.
  @_noLocks mutating func begin(channel: UInt8, key: UInt8, _ tuning: Tuning) {
    self = ResonatorVoice()
    self.channel = channel
    self.key = key
    fade = Glide(1)
    tune(tuning, frames: 0)
  }

  /// - Parameters:
  ///   - velocity: The velocity, 1…127.
  ///   - age: The number of the note-on.
  ///   - frames: The length of the input's fade-in.
  @_noLocks mutating func strike(velocity: UInt8, age: Int, frames: Int) {
    let level = Double(velocity) / 127
    stage = .held
    self.age = age
    silentFrames = 0
    gate.start(to: level * level, frames: frames)
  }

  @_noLocks mutating func sustain() { stage = .sustained }

  @_noLocks mutating func release(frames: Int) {
    stage = .ringing
    gate.start(to: 0, frames: frames)
  }

  @_noLocks mutating func fadeOut(frames: Int) {
    stage = .fading
    fade.start(to: 0, frames: frames)
  }

  @_noLocks mutating func tune(_ tuning: Tuning, frames: Int) {
    if !(tuning.delay == delay.target) {
      delay.start(to: tuning.delay, frames: frames)
      isInTune = false
    }
    feedback = tuning.feedback
    drive = tuning.drive
  }

  /// Renders frames and adds them to the output.
  ///
  /// - Parameters:
  ///   - strings: The voice's strings, one per output channel.
  ///   - sound: The buffers of the input and the output.
  ///   - begin: The first frame.
  ///   - end: The frame after the last.
  ///   - damping: The low-pass filter in the feedback.
  @_noLocks mutating func render(
    _ strings: UnsafeMutablePointer<ResonatorString>, _ sound: ResonatorSound,
    _ begin: Int, _ end: Int, damping: LowPass
  ) {
    for frame in begin..<end {
      if !isInTune {
        isInTune = delay.isOver
        taps = CubicTaps(delay: delay.next())
      }
      let inputGain = Float(gate.next()) * drive
      let level = Float(fade.next())
      var peak: Float = 0
      for channel in 0..<sound.channels {
        let input = sound.input(channel)[frame] * inputGain
        let sample = strings[channel].next(input, taps, feedback, damping)
        sound.output(channel)[frame] += sample * level
        peak = max(peak, abs(sample))
      }
      silentFrames = peak < Self.threshold ? silentFrames + 1 : 0
      if isOver {
        stage = .free
        return
      }
    }
  }

  /// Whether the voice stays silent: it has faded out, or a whole period was silent after the release.
  private var isOver: Bool {
    @_noLocks get {
      switch stage {
      case .fading: fade.isOver
      case .ringing: gate.isOver && silentFrames > taps.whole + CubicTaps.reach
      default: false
      }
    }
  }
}
