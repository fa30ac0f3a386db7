import RenderCore
import Synchronization

/// What the render thread of a metronome works on.
struct MetronomeState: ~Copyable {
  /// How many clicks have begun.
  let clicked = Atomic<Int>(0)
  private let format: Format
  private var values: ParameterValues
  private var finder: BeatFinder
  private var freeRun: FreeRun
  /// Whether the host says where its song is.
  private var isHosted = false
  /// More than one where beats come faster than a click is over.
  private var clicks = InlineArray<4, Click>(repeating: Click())

  init(_ format: Format, _ values: ParameterValues) {
    self.format = format
    self.values = values
    finder = BeatFinder(sampleRate: format.sampleRate)
    freeRun = FreeRun(sampleRate: format.sampleRate)
  }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    for channel in 0..<format.channels {
      cycle.output[channel].update(repeating: 0, count: cycle.frames)
    }
    values.begin()
    finder.begin(cycle)
    if cycle.transport.isEmpty { isHosted = false }
    var walk = CycleSteps(cycle)
    var place = 0
    while let step = walk.next() {
      switch step {
      case .transport(let transport):
        isHosted = transport.provides.has(.beat)
        finder.follow(transport, at: place)
      case .parameter(let change): values.apply(change)
      case .event: break
      case .frames(let begin, let end):
        render(cycle, begin, end)
        place = end
      }
    }
    values.publish()
  }

  @_noLocks private mutating func render(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    finder.divide(by: Int(values[.subdivision]) + 1, at: begin)
    if !isHosted, values[.freeRun] > 0 {
      runFreely(cycle, begin, end)
    } else {
      if freeRun.isOn {
        freeRun.stop()
        if !isHosted { finder.rest() }
      }
      play(cycle, begin, end)
    }
  }

  @_noLocks private mutating func runFreely(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    if !freeRun.isOn { finder.rest() }
    var place = begin
    while place < end {
      // A tempo that glides is another one on every frame.
      let next = values.isRamping ? place + 1 : end
      freeRun.play(tempo: Double(values[.freeTempo]))
      finder.follow(freeRun.transport, at: place)
      play(cycle, place, next)
      freeRun.advance(frames: next - place)
      place = next
    }
  }

  /// Plays through frames in which nothing happens but beats.
  @_noLocks private mutating func play(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    var place = begin
    while let beat = finder.next(before: end) {
      sound(cycle, place, beat.frame)
      place = beat.frame
      if values[beat.isBeforeSong ? .countIn : .song] > 0 { click(beat) }
    }
    sound(cycle, place, end)
  }

  @_noLocks private mutating func click(_ beat: BeatFinder.Beat) {
    let level =
      beat.beginsBar
      ? values[.accentLevel] : beat.isWhole ? values[.level] : values[.level] - 6
    let pitch = beat.beginsBar ? values[.accentPitch] : values[.pitch]
    // In place of the one that is over, or the nearest to it.
    var place = 0
    for other in 1..<clicks.count where clicks[other].left < clicks[place].left { place = other }
    clicks[place] = Click(pitch: pitch, level: level, sampleRate: format.sampleRate)
    clicked.add(1, ordering: .relaxed)
  }

  /// Goes on by frames in which nothing happens.
  @_noLocks private mutating func sound(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    values.advance(frames: end - begin)
    for number in 0..<clicks.count where clicks[number].left > 0 {
      var click = clicks[number]
      for frame in begin..<min(end, begin + click.left) {
        let sample = click.next()
        for channel in 0..<format.channels { cycle.output[channel][frame] += sample }
      }
      clicks[number] = click
    }
  }
}
