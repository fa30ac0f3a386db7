import Glibc
import LocalSystem
import Synchronization

/// The outcomes of the songs of a run, in memory that the process that renders them shares with its parent.
///
/// `@unchecked Sendable`: in the process that renders, each record is written by the thread of its song or, at its end,
/// by one thread at a time. The parent reads and writes records only while no such process exists. The heartbeat is
/// atomic.
final class SharedProgress: @unchecked Sendable {
  enum Stage: UInt8 { case waiting, reading, loading, playing, rendered, kept, failed }

  /// The state of one song. It refers to no memory, so it is valid in every process.
  struct Record {
    var stage = Stage.waiting
    /// The cause of the death of a process that rendered only this song; `nil`: none died.
    var fault: RenderFault?
    /// The stage of the song then.
    var faultyStage = Stage.waiting
    /// Whether output files may exist that an ended process wrote.
    var mayHaveFiles = false
    /// Whether the song's SoundFont was announced.
    var isAnnounced = false
    var seconds = 0.0
    var hasWarnings = false
    /// The exit code of a failure.
    var failure: CInt = 0
    var entry: ResumeJournal.Entry?

    var hasPlayed: Bool {
      stage == .playing || stage == .rendered || faultyStage == .playing
    }
    var hasEnded: Bool { stage.rawValue >= Stage.rendered.rawValue }
    var isInProgress: Bool { stage != .waiting && !hasEnded }
  }

  private let beats: UnsafeMutablePointer<Atomic<Int>>
  private let records: UnsafeMutableBufferPointer<Record>
  private let positions: [Int: Int]
  let jobs: [RenderPlan.Job]

  /// - Returns: `nil` if there is not enough memory.
  init?(_ jobs: [RenderPlan.Job]) {
    let size = Self.size(jobs.count)
    let memory = mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    beats = memory.bindMemory(to: Atomic<Int>.self, capacity: 1)
    beats.initialize(to: Atomic(0))
    let first = (memory + Self.headSize).bindMemory(to: Record.self, capacity: jobs.count)
    records = UnsafeMutableBufferPointer(start: first, count: jobs.count)
    records.initialize(repeating: Record())
    self.jobs = jobs
    positions = Dictionary(uniqueKeysWithValues: jobs.enumerated().map { ($1.index, $0) })
  }

  deinit { munmap(beats, Self.size(records.count)) }

  /// The bytes before the records: a cache line for the heartbeat.
  private static let headSize = 64

  private static func size(_ recordCount: Int) -> Int {
    headSize + recordCount * MemoryLayout<Record>.stride
  }

  subscript(_ job: RenderPlan.Job) -> Record {
    get { records[positions[job.index]!] }
    set { records[positions[job.index]!] = newValue }
  }

  var endedJobs: [RenderPlan.Job] { jobs.filter { self[$0].hasEnded } }

  /// Refuses the SoundFonts that no process survived loading.
  func refuseFaultySoundFonts(_ fonts: SoundFontPool, stallLimit: Int) {
    for job in jobs {
      guard self[job].faultyStage == .loading, let fault = self[job].fault,
        let options = try? job.work.get().options
      else { continue }
      fonts.refuse(
        options.soundFont,
        fault.failure(loading: fonts.path(options.soundFont), stallLimit: stallLimit))
    }
  }

  /// A number that changes whenever a song makes progress. Threads: any.
  var heartbeat: Int { beats.pointee.load(ordering: .relaxed) }

  /// Records that a song makes progress. Threads: any.
  func beat() { beats.pointee.wrappingAdd(1, ordering: .relaxed) }

  func enter(_ stage: Stage, _ job: RenderPlan.Job) {
    self[job].stage = stage
    beat()
  }

  func announce(_ job: RenderPlan.Job) {
    if !self[job].isAnnounced { self[job].isAnnounced = true }
  }

  /// The names of the SoundFonts that were announced.
  var announced: Set<String?> {
    Set(jobs.filter { self[$0].isAnnounced }.compactMap(\.playedSoundFont))
  }

  /// Records the outcome of a song.
  ///
  /// - Parameter entry: Its entry in the journal, if there is one.
  func end(_ job: RenderPlan.Job, _ outcome: SongOutcome, _ entry: ResumeJournal.Entry?) {
    var record = self[job]
    record.entry = entry
    switch outcome {
    case .rendered(let song):
      record.stage = .rendered
      record.seconds = song.entry.seconds
      record.hasWarnings = !song.entry.warnings.isEmpty
    case .kept: record.stage = .kept
    case .failed(let failure) where failure.signal == nil:
      record.stage = .failed
      record.failure = failure.kind.rawValue
    case .failed, .planned: return
    }
    self[job] = record
    beat()
  }
}
