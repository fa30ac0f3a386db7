import RenderCore

/// One string on every channel, and how its note stands.
///
/// Realtime: yes.
struct ResonatorVoice: BitwiseCopyable {
  private(set) var stage = Stage.free
  private(set) var channel: UInt8 = 0
  private(set) var key: UInt8 = 0
  /// The later it was struck, the higher.
  private(set) var age = 0
  /// How much of the input comes in, and how much of the string is heard.
  private var gate = Glide(0)
  private var fade = Glide(0)
  /// Of the line, in frames.
  private var delay = Glide(0)
  private var taps = CubicTaps(delay: CubicTaps.shortest)
  /// Whether `taps` are where the delay has come to stay.
  private var isInTune = false
  private var feedback: Float = 0
  private var drive: Float = 0
  /// Frames since there was something to hear.
  private var quiet = 0

  enum Stage: UInt8 {
    case free
    /// The key is down.
    case held
    /// The pedal is down, the key up.
    case sustained
    case ringing
    /// Gives its place away.
    case fading
  }

  /// Below −160 dBFS nothing is to be heard.
  private static var threshold: Float { @_noLocks get { 1e-8 } }

  @_noLocks init() {}

  @_noLocks func `is`(_ stage: Stage) -> Bool { self.stage.rawValue == stage.rawValue }

  /// Whether it belongs to a note.
  var isSounding: Bool { @_noLocks get { !self.is(.free) && !self.is(.fading) } }

  /// How much of it is heard.
  var loudness: Double { @_noLocks get { fade.value } }

  /// Begins with a string at rest.
  @_noLocks mutating func begin(channel: UInt8, key: UInt8, _ tuning: Tuning) {
    self = ResonatorVoice()
    self.channel = channel
    self.key = key
    fade = Glide(1)
    tune(tuning, frames: 0)
  }

  /// - Parameters:
  ///   - velocity: 1…127.
  ///   - frames: Until the input comes in.
  @_noLocks mutating func strike(velocity: UInt8, age: Int, frames: Int) {
    let level = Double(velocity) / 127
    stage = .held
    self.age = age
    quiet = 0
    gate.go(to: level * level, frames: frames)
  }

  @_noLocks mutating func sustain() { stage = .sustained }

  @_noLocks mutating func release(frames: Int) {
    stage = .ringing
    gate.go(to: 0, frames: frames)
  }

  @_noLocks mutating func fadeOut(frames: Int) {
    stage = .fading
    fade.go(to: 0, frames: frames)
  }

  @_noLocks mutating func tune(_ tuning: Tuning, frames: Int) {
    if !(tuning.delay == delay.target) {
      delay.go(to: tuning.delay, frames: frames)
      isInTune = false
    }
    feedback = tuning.feedback
    drive = tuning.drive
  }

  /// Adds what is to be heard of so many frames.
  ///
  /// - Parameters:
  ///   - strings: One per channel of output.
  ///   - sound: What sets them ringing, and gets what is heard of them.
  @_noLocks mutating func ring(
    _ strings: UnsafeMutablePointer<ResonatorString>, _ sound: ResonatorSound,
    _ begin: Int, _ end: Int, damping: LowPass
  ) {
    for frame in begin..<end {
      if !isInTune {
        isInTune = delay.isOver
        taps = CubicTaps(delay: delay.next())
      }
      let entering = Float(gate.next()) * drive
      let level = Float(fade.next())
      var loudest: Float = 0
      for channel in 0..<sound.channels {
        let input = sound.input(channel)[frame] * entering
        let sample = strings[channel].next(input, taps, feedback, damping)
        sound.output(channel)[frame] += sample * level
        loudest = max(loudest, abs(sample))
      }
      quiet = loudest < Self.threshold ? quiet + 1 : 0
      if isOver {
        stage = .free
        return
      }
    }
  }

  /// Whether nothing more will be heard of it: when a whole period was silence.
  private var isOver: Bool {
    @_noLocks get {
      switch stage {
      case .fading: fade.isOver
      case .ringing: gate.isOver && quiet > taps.whole + CubicTaps.reach
      default: false
      }
    }
  }
}
