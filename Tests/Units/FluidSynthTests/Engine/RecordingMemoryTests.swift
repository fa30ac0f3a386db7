import RenderCore
import Testing

@testable import FluidSynthEngine

/// Returns a performance of a few kinds of notes, each repeated many times.
private func repetitive(seed: UInt64) -> Performance {
  let bar = busyPerformance(seed: seed, seconds: 0.4)
  var performance = Performance()
  for index in 0..<6 {
    for var step in bar.steps {
      step.frame += index * 20_011
      performance.add(step)
    }
  }
  return performance
}

private func instrument(
  of performance: Performance, in memory: RecordingMemory?, threads: Int = 1
) throws -> ExactInstrument {
  let instrument = try ExactInstrument(
    soundFont: Fonts.timGM6mb, settings: InstrumentSettings(threads: threads))
  if let memory { instrument.keepRecordings(performance.recurrence, in: memory) }
  return instrument
}

private func play(
  _ performance: Performance, on instrument: ExactInstrument, from start: Int = 0,
  frames: Int = 180_000
) throws -> RenderedSound {
  try instrument.play(performance.shifted(by: -start), frames: frames, cycles: { 1024 }) {
    try instrument.prepare(frames: $0.frames, notes: $0.events.count)
    try instrument.loadSamples(for: $0)
  }
}

@Suite(.timeLimit(.minutes(5))) struct RecordingMemoryTests {
  @Test(arguments: [1 << 20, 4 << 20, 64 << 20])
  func `songs that share memory one after the other have the bits of songs that do not`(bytes: Int)
    throws
  {
    let memory = RecordingMemory(bytes: bytes)
    for seed: UInt64 in 1...3 {
      let performance = repetitive(seed: seed)
      let plain = try play(performance, on: instrument(of: performance, in: nil))
      let cached = try instrument(of: performance, in: memory, threads: Int(seed))
      #expect(try play(performance, on: cached) == plain)
      #expect(cached.cacheFigures.playedNotes > 1 && cached.cacheFigures.peakBytes <= bytes)
    }
  }

  @Test func `songs that share memory concurrently have the bits of songs that do not`() throws {
    let memory = RecordingMemory(bytes: 1 << 20)
    let (one, other) = (repetitive(seed: 1), repetitive(seed: 2))
    func portion(_ performance: Performance, _ index: Int) -> Performance {
      let frames = index * 20_480..<(index + 1) * 20_480
      return Performance(
        performance.sorted.steps.filter { frames.contains($0.frame) }, of: performance
      ).shifted(by: -frames.lowerBound)
    }
    func plain(_ performance: Performance) throws -> [[Int64]] {
      try play(performance, on: instrument(of: performance, in: nil), frames: 9 * 20_480).sums
    }
    let first = try instrument(of: one, in: memory)
    var second: ExactInstrument?
    var sums = ([[Int64]](repeating: [], count: 4), [[Int64]](repeating: [], count: 4))
    for index in 0..<9 {
      let heard = try play(portion(one, index), on: first, frames: 20_480).sums
      for channel in 0..<4 { sums.0[channel] += heard[channel] }
      // The second instrument begins when the first one has all the memory.
      if index < 3 { continue }
      let late = try second ?? instrument(of: other, in: memory)
      second = late
      let its = try play(portion(other, index - 3), on: late, frames: 20_480).sums
      for channel in 0..<4 { sums.1[channel] += its[channel] }
    }
    #expect(try sums.0 == plain(one))
    #expect(try sums.1 == plain(other).map { Array($0[..<(6 * 20_480)]) })
    let figures = try (first.cacheFigures, #require(second).cacheFigures)
    #expect(figures.0.playedNotes > 1 && figures.1.playedNotes > 1)
    #expect(figures.0.evictedRecordings > 0, "\(figures)")
  }

  @Test func `chunks go to users below their share, and all are returned`() {
    let memory = RecordingMemory(bytes: 100 * NoteCache.chunkBytes)
    let (one, other) = (
      UnsafeMutablePointer<Int32>.allocate(capacity: 100),
      UnsafeMutablePointer<Int32>.allocate(capacity: 100)
    )
    defer {
      one.deallocate()
      other.deallocate()
    }
    memory.join()
    let all = memory.balance(one, count: 0, needed: 90, used: 0)
    #expect(all.count == 90 && all.excess == 0 && all.quota == 100)
    memory.join()
    let few = memory.balance(other, count: 0, needed: 30, used: 0)
    #expect(few.count == 10 && few.excess == 0 && few.quota == 50)
    // The first user must return what the second lacks.
    let asked = memory.balance(one, count: 0, needed: 0, used: 90)
    #expect(asked.excess == 20)
    let given = memory.balance(one, count: 20, needed: 0, used: 70)
    #expect(given.count == 0 && given.excess == 0)
    #expect(memory.balance(other, count: 10, needed: 30, used: 0).count == 30)
    #expect(Set((0..<30).map { other[$0] }).count == 30)
    memory.leave(with: UnsafeBufferPointer(start: other, count: 30))
    memory.leave(with: UnsafeBufferPointer(start: one, count: 0))
    memory.join()
    #expect(memory.balance(other, count: 0, needed: 100, used: 0).count == 30)
  }

  @Test func `lent memory is not given out twice, and is reclaimed from its users`() {
    let chunk = NoteCache.chunkBytes
    let memory = RecordingMemory(bytes: 100 * chunk)
    let store = UnsafeMutablePointer<Int32>.allocate(capacity: 100)
    defer { store.deallocate() }
    memory.join()
    memory.lend(30 * chunk)
    let rest = memory.balance(store, count: 0, needed: 100, used: 0)
    #expect(rest.count == 70 && rest.quota == 70 && rest.excess == 0)
    for index in 0..<70 { memory.address(of: store[Int(index)]).storeBytes(of: 1, as: UInt8.self) }
    // Lending ten more chunks makes the user of all others return ten.
    memory.lend(10 * chunk - 1)
    let asked = memory.balance(store, count: 0, needed: 0, used: 70)
    #expect(asked.excess == 10 && asked.quota == 60)
    let given = memory.balance(store, count: 10, needed: 0, used: 60)
    #expect(given.count == 0 && given.excess == 0)
    // More is lent than exists, so nothing is given out.
    memory.lend(100 * chunk)
    #expect(memory.balance(store, count: 0, needed: 5, used: 0).count == 0)
    memory.lend(-140 * chunk + 1)
    #expect(memory.balance(store, count: 0, needed: 40, used: 60).count == 40)
  }

  @Test(arguments: [(4096, 5), (16_384, 5), (65_536, 0)])
  func `reclaimed memory is returned to the system, except chunks that share a page`(
    pageBytes: Int, returned: Int
  ) {
    let memory = RecordingMemory(bytes: 100 * NoteCache.chunkBytes, pageBytes: pageBytes)
    let store = UnsafeMutablePointer<Int32>.allocate(capacity: 100)
    defer { store.deallocate() }
    memory.join()
    let count = memory.balance(store, count: 0, needed: 10, used: 0).count
    let places = (0..<count).map { memory.address(of: store[$0]) }
    for place in places { place.storeBytes(of: 1, as: UInt8.self) }
    _ = memory.balance(store, count: count, needed: 0, used: 0)
    // The chunks are free but still mapped; the next user finds their contents.
    #expect(places.allSatisfy { $0.load(as: UInt8.self) == 1 })
    memory.lend(95 * NoteCache.chunkBytes)
    #expect(places.count { $0.load(as: UInt8.self) == 0 } == returned)
  }
}
