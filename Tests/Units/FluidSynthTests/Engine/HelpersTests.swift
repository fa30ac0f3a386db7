import Glibc
import LocalSystem
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import FluidSynthEngine

/// What the bits must not depend on, and conditions under which this is tested.
struct HelpedCase: Sendable, CustomTestStringConvertible {
  var font = Fonts.timGM6mb
  var seed: UInt64 = 1
  var rate = 48_000
  var effects = Effects()
  var polyphony = 256
  /// The length of each cycle; 0: random lengths from 16 to 1024.
  var cycle = 0

  var testDescription: String {
    "\(font.suffix(12)), seed \(seed), \(rate) Hz, reverb \(effects.reverb), chorus \(effects.chorus), "
      + "polyphony \(polyphony), cycle \(cycle)"
  }

  static let all = [
    HelpedCase(), HelpedCase(cycle: 16), HelpedCase(seed: 2, cycle: 64),
    HelpedCase(seed: 3, effects: .off, cycle: 1024), HelpedCase(seed: 4, polyphony: 6),
    HelpedCase(seed: 5, polyphony: 12, cycle: 64), HelpedCase(font: Fonts.fluidR3, seed: 6),
    HelpedCase(font: Fonts.bundled, seed: 7, rate: 44_100),
    HelpedCase(seed: 8, rate: 96_000, effects: Effects(reverb: true, chorus: false)),
    HelpedCase(seed: 9, rate: 8000),
    HelpedCase(seed: 10, rate: 22_050, effects: .off, polyphony: 3),
  ]

  func instrument(threads: Int) throws -> ExactInstrument {
    var settings = InstrumentSettings(
      rate: rate, effects: effects, polyphony: polyphony, maximumFrames: 1024, threads: threads)
    settings.startsHelpers = true
    let instrument = try ExactInstrument(soundFont: font, settings: settings)
    // Even a single block is work for a helper.
    instrument.state.pointee.lanes.helpers?.pointee.workPerHelper = 1
    return instrument
  }

  var performance: Performance { busyPerformance(seed: seed, seconds: 1.5, rate: rate) }

  func play(_ instrument: ExactInstrument) throws -> RenderedSound {
    var random = Seeded(seed)
    return try instrument.play(performance, frames: rate * 2) {
      cycle > 0 ? cycle : Int.random(in: 16...1024, using: &random)
    }
  }
}

extension ExactInstrument {
  fileprivate var helpers: UnsafeMutablePointer<Helpers> {
    get throws { try #require(state.pointee.lanes.helpers) }
  }
}

/// Plays new instruments until one has been helped: on a busy machine, the render thread may be done before a helper runs.
/// The suite's time limit ends this.
private func playUntilHelped(
  _ make: () throws -> ExactInstrument, _ play: (ExactInstrument) throws -> Void
) throws {
  var isHelped = false
  while !isHelped {
    let instrument = try make()
    try play(instrument)
    isHelped = try instrument.helpers.pointee.renderedLanes > 0
  }
}

@Suite("Helpers", .timeLimit(.minutes(5))) struct HelpersTests {
  @Test(arguments: HelpedCase.all)
  func `threads: the bits are the same with any number of threads, whatever their timing`(
    setting: HelpedCase
  ) throws {
    let reference = try setting.play(setting.instrument(threads: 1))
    #expect(reference.left.contains { $0 != 0 })
    if setting.polyphony < 20 { #expect(reference.statistics.stolenNotes > 0) }
    for threads in [2, 3, 8] {
      try playUntilHelped({ try setting.instrument(threads: threads) }) { instrument in
        let sound = try setting.play(instrument)
        #expect(sound == reference, "\(threads) threads")
        #expect(sound.statistics == reference.statistics, "\(threads) threads")
      }
    }
  }

  @Test func `threads: a song has the same bits live with helpers as offline with lane groups`()
    throws
  {
    let performance = try Performance.demo(seconds: 20..<26, rate: 48_000)
    let frames = performance.end + 48_000
    let offline = try ExactInstrument(
      soundFont: Fonts.bundled, settings: InstrumentSettings(threads: 2)
    ).playInParallel(performance, frames: frames)
    for cycle in [64, 480] {
      var setting = HelpedCase(font: Fonts.bundled)
      setting.cycle = cycle
      try playUntilHelped({ try setting.instrument(threads: 2) }) { live in
        let sound = try live.play(performance, frames: frames) { cycle }
        #expect(sound == offline, "cycle \(cycle)")
      }
    }
  }

  @Test(arguments: [Effects(), .off])
  func `threads: a unit with 34 outputs has the same bits`(effects: Effects) throws {
    func play(threads: Int) throws -> [[Float]] {
      let settings = InstrumentSettings(effects: effects, threads: threads)
      let unit = try MultiSynthSource(soundFont: .open(Fonts.timGM6mb), settings: settings)
        .makeUnit(
          Format(sampleRate: 48_000, outputChannels: 34, maximumFrames: 1024))
      var performance = UnitPerformance(performance: crowdedPerformance)
      performance.change(9000, "gain", to: -20, ramp: 3000)
      performance.change(20_000, "tuning", to: 50, ramp: 2000)
      var random = Seeded(3)
      return unit.play(performance, frames: 60_000, channels: 34) {
        Int.random(in: 16...1024, using: &random)
      }
    }
    let reference = try play(threads: 1)
    #expect(reference.allSatisfy { channel in channel.allSatisfy { $0.isFinite } })
    for threads in [2, 5] { #expect(try play(threads: threads) == reference) }
  }

  @Test func `threads: notes without a lane have the same bits`() throws {
    func play(threads: Int) throws -> RenderedSound {
      let instrument = try HelpedCase().instrument(threads: threads)
      // No lane is made after the first ones.
      try instrument.supply()
      return try instrument.play(crowdedPerformance, frames: 60_000, cycles: { 64 }) { _ in }
    }
    let reference = try play(threads: 1)
    #expect(reference.statistics.inexactOnsets > 0)
    for threads in [2, 3] { #expect(try play(threads: threads) == reference) }
  }

  @Test func `no helper is woken for silence, for one note or for little work`() throws {
    let instrument = try HelpedCase().instrument(threads: 4)
    let helpers = try instrument.helpers
    _ = try instrument.play(Performance(), frames: 20_000, cycles: { 64 })
    var note = Performance()
    note.note(0, 0, 60, 100, length: 10_000)
    _ = try instrument.play(note, frames: 200_000, cycles: { 64 })
    #expect(helpers.pointee.publishedCycles == 0)
    helpers.pointee.workPerHelper = Helpers.defaultWorkPerHelper
    var chord = Performance()
    for key in 0..<8 { chord.note(0, 0, 60 + key, 100, length: 10_000) }
    _ = try instrument.play(chord, frames: 20_000, cycles: { 64 })
    #expect(helpers.pointee.publishedCycles == 0)
    _ = try instrument.play(crowdedPerformance, frames: 40_000, cycles: { 512 })
    #expect(helpers.pointee.publishedCycles > 0)
  }

  // Faults.

  @Test func `helpers that are suspended with lanes delay cycles, and the bits are the same`()
    throws
  {
    let setting = HelpedCase(seed: 12)
    let reference = try setting.play(setting.instrument(threads: 1))
    for threads in [2, 4] {
      let instrument = try setting.instrument(threads: threads)
      let helpers = try instrument.helpers
      let obstacle = helpers.pointee.obstacle
      let isOver = Mutex(false)
      let obstructor = TestThread {
        while !isOver.withLock({ $0 }) {
          obstacle.store(1)
          usleep(3000)
          obstacle.store(0)
          obstacle.wake()
          usleep(500)
        }
      }
      let sound = try setting.play(instrument)
      isOver.withLock { $0 = true }
      obstructor.join()
      #expect(sound == reference, "\(threads) threads")
      #expect(helpers.pointee.renderedLanes > 0)
    }
  }

  @Test func `helpers that never wake delay nothing, and the bits are the same`() throws {
    let setting = HelpedCase(seed: 13)
    let reference = try setting.play(setting.instrument(threads: 1))
    let instrument = try setting.instrument(threads: 3)
    instrument.helperThreads?.stop()
    #expect(try setting.play(instrument) == reference)
    let helpers = try instrument.helpers
    #expect(helpers.pointee.renderedLanes == 0 && helpers.pointee.publishedCycles > 0)
  }

  @Test func `a helper that cannot follow the render thread is not woken until it is tried again`()
    throws
  {
    let instrument = try HelpedCase().instrument(threads: 2)
    let helpers = try instrument.helpers
    let word = helpers.pointee.word(of: 0)
    // The first published cycle calls the helper in any case.
    _ = try instrument.play(crowdedPerformance, frames: 2000, cycles: { 64 })
    #expect(helpers.pointee.publishedCycles > 0)
    #expect(eventually { word.exchange(HelperCall.none, for: HelperCall.declined) })
    let before = helpers.pointee.renderedLanes
    _ = try instrument.play(crowdedPerformance, frames: 30_000, cycles: { 64 })
    #expect(word.value == HelperCall.declined && helpers.pointee.renderedLanes == before)
    while helpers.pointee.renderedLanes == before, helpers.pointee.publishedCycles < 50_000 {
      _ = try instrument.play(crowdedPerformance, frames: 30_000, cycles: { 16 })
    }
    #expect(helpers.pointee.renderedLanes > before)
  }

  @Test func `an instrument whose threads cannot be started is refused, and leaves no thread`()
    async
  {
    await #expect(processExitsWith: .exitCode(7)) {
      let setting = HelpedCase()
      _ = try setting.instrument(threads: 1)
      // The limit does not apply to root.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      guard setrlimit(__rlimit_resource_t(6), &limit) == 0 else { exit(1) }
      if geteuid() == 0, setuid(65_534) != 0 { exit(2) }
      do {
        _ = try setting.instrument(threads: 4)
      } catch InstrumentError.cannotStartThread(let reason) {
        exit(reason.contains("pthread_create") && eventually { helperThreadCount() == 0 } ? 7 : 3)
      }
    }
  }

  @Test func `threads end with their instrument, also directly after a cycle`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      for round in 0..<20 {
        var instrument: ExactInstrument? = try HelpedCase().instrument(threads: 1 + round % 4)
        if helperThreadCount() != round % 4 { exit(1) }
        _ = try instrument?.play(crowdedPerformance, frames: round * 100, cycles: { 64 })
        instrument = nil
        if !eventually({ helperThreadCount() == 0 }) { exit(2) }
      }
      exit(7)
    }
  }

  @Test func `64 instruments with threads of their own have the same bits`() throws {
    func make(threads: Int) throws -> ExactInstrument {
      var settings = InstrumentSettings(maximumFrames: 512, threads: threads, ownsPresets: false)
      settings.startsHelpers = true
      return try ExactInstrument(soundFont: Fonts.timGM6mb, settings: settings)
    }
    func play(_ instrument: ExactInstrument) throws -> RenderedSound {
      instrument.state.pointee.lanes.helpers?.pointee.workPerHelper = 1
      return try instrument.play(crowdedPerformance, frames: 6000, cycles: { 512 })
    }
    let reference = try play(make(threads: 1))
    let instruments = try (0..<64).map { _ in try make(threads: 3) }
    for (index, instrument) in instruments.enumerated() {
      #expect(try play(instrument) == reference, "instrument \(index)")
    }
  }
}

/// Sixty notes at about the same time.
private let crowdedPerformance: Performance = {
  var performance = Performance()
  for channel in 0..<4 { performance.add(0, .programChange, channel, 40 + channel * 8) }
  for i in 0..<60 { performance.note(i * 37, i % 4, 40 + i / 2, 60 + i, length: 25_000 + i * 61) }
  return performance.sorted
}()

/// The number of helper threads in this process.
private func helperThreadCount() -> Int {
  var count = 0
  guard let folder = opendir("/proc/self/task") else { return -1 }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    guard let file = fopen("/proc/self/task/\(name)/comm", "r") else { continue }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 15)
    if fread(&text, 1, 15, file) == 15, text == Array("portative-lanes".utf8) { count += 1 }
  }
  return count
}
