import AudioFile
import Glibc
import OfflineRenderer
import Synchronization
import Testing

@testable import BatchRenderer
@testable import LocalSystem

/// Returns jobs with varying weights.
private func jobs(_ count: Int, soundFont: (Int) -> String? = { _ in nil }) -> [RenderPlan.Job] {
  (0..<count).map { index in
    var options = SongOptions()
    options.soundFont = soundFont(index)
    return .init(
      index: index, input: "\(index)", weight: index * 7 % 10,
      work: Result { () throws(Failure) in
        .init(
          destination: .file("\(index).wav"), format: try options.format(of: nil),
          options: options)
      })
  }
}

private func song(_ job: RenderPlan.Job) -> SongOutcome {
  .rendered(
    RenderedSong(
      entry: .init(input: job.input, output: "", SongReport(), warnings: []), elapsed: 1))
}

@Test(arguments: [1, 2, 7, 100])
func `renders every song once and reports each`(threads: Int) {
  let rendered = Mutex<[String: Int]>([:])
  let reported = Mutex<[Int]>([])
  let scheduler = SongScheduler(jobs(40)) { job, _ in
    rendered.withLock { $0[job.input, default: 0] += 1 }
    return song(job)
  } report: { job, _ in
    reported.withLock { $0.append(job.index) }
  }
  let tally = scheduler.run(threads: threads)
  #expect(tally.rendered == 40)
  #expect(rendered.withLock { $0.count == 40 && $0.values.allSatisfy { $0 == 1 } })
  #expect(reported.withLock { $0.sorted() } == Array(0..<40))
  #expect(tally.failureKind == nil)
}

@Test func `starts with the longest song, and renders each SoundFont's songs together`() {
  let order = jobs(20).inWorkingOrder
  #expect(order.map(\.weight) == order.map(\.weight).sorted(by: >))
  let fonts = jobs(20) { "\($0 % 3)" }.inWorkingOrder
  let names = fonts.compactMap { try? $0.work.get().options.soundFont }
  #expect(names == names.sorted())
}

@Test func `with fewer songs than threads, a song gets several threads`() {
  let shares = Mutex<[Int]>([])
  _ = SongScheduler(jobs(1)) { job, threads in
    shares.withLock { $0.append(threads) }
    return song(job)
  } report: { _, _ in
  }.run(threads: 8)
  #expect(shares.withLock(\.self) == [8])
}

@Test func `one bad song does not stop the others`() {
  let scheduler = SongScheduler(jobs(5)) { job, _ in
    job.input == "2" ? .failed(Failure(.inputUnusable, "broken")) : song(job)
  } report: { _, _ in
  }
  let tally = scheduler.run(threads: 2)
  #expect(tally.rendered == 4 && tally.failed == 1)
  #expect(tally.failureKind == .inputUnusable)
}

@Test func `an interruption stops those that have not begun`() {
  let begun = Mutex(0)
  let scheduler = SongScheduler(jobs(1000)) { job, _ in
    let number = begun.withLock {
      $0 += 1
      return $0
    }
    if number == 4 { return .failed(.interrupted(by: 2)) }
    // Gives the interruption time to take effect before all songs have started.
    usleep(2000)
    return song(job)
  } report: { _, _ in
  }
  let tally = scheduler.run(threads: 1)
  #expect((4..<500).contains(begun.withLock(\.self)))
  #expect(tally.interruption?.signal == 2)
}

@Test(arguments: [true, false])
func `an unusable SoundFont ends the run if all songs use it, and is reported once`(isOne: Bool) {
  let reported = Mutex(0)
  let scheduler = SongScheduler(jobs(50), hasOneFont: isOne) { _, _ in
    .failed(Failure(.soundFontUnusable, "no SoundFont"))
  } report: { _, _ in
    reported.withLock { $0 += 1 }
  }
  let tally = scheduler.run(threads: 2)
  #expect(reported.withLock(\.self) == (isOne ? 1 : 50))
  #expect(tally.failureKind == .soundFontUnusable)
}

@Test(arguments: [true, false])
func `a disk that stays full ends the run, and one that is full now and then does not`(
  isAlwaysFull: Bool
) {
  let reported = Mutex(0)
  let scheduler = SongScheduler(jobs(100)) { job, _ in
    isAlwaysFull || job.index < 4
      ? .failed(Failure(.outputNotWritten, "no space", isOutOfSpace: true))
      : .failed(Failure(.inputUnusable, "no song"))
  } report: { _, _ in
    reported.withLock { $0 += 1 }
  }
  let tally = scheduler.run(threads: 1)
  #expect(tally.isOutOfSpace == isAlwaysFull && tally.isCutShort == isAlwaysFull)
  #expect(reported.withLock(\.self) == tally.failed)
  // Songs that are in progress end.
  #expect(isAlwaysFull ? (5...15).contains(tally.failed) : tally.failed == 100)
}

@Test func `failures of several kinds are a failure`() {
  var tally = BatchTally()
  #expect(tally.failureKind == nil)
  tally.add(.failed(Failure(.inputUnusable, "")))
  #expect(tally.failureKind == .inputUnusable)
  tally.add(.failed(Failure(.outputNotWritten, "")))
  #expect(tally.failureKind == .failed)
}
