import CFluidSynth
import CFluidSynthOverrides
import Glibc
import LocalSystem
import Synchronization

/// The samples of one SoundFont, loaded into memory as they are needed.
///
/// FluidSynth makes room for all samples when it loads the font (``SampleStream``), but the room stays empty:
/// untouched pages take no memory. A sample is read into its place before the first note that plays it, so
/// voices find every sample where they would if FluidSynth had loaded it, and the bits are the same.
///
/// The file is read and not mapped: a render thread then never waits for a disk, and a file that shrinks is an
/// error here instead of a SIGBUS there.
///
/// Realtime: no, apart from ``board``. Threads: any.
///
/// `@unchecked Sendable`: `state` is guarded by `mutex`.
final class SampleMemory: @unchecked Sendable {
  let board: SampleTable
  let image: SoundFontImage
  private let path: String
  private let identity: FileIdentity
  private let file: SampleFile
  private let outline: SoundFontOutline
  private let fields: SampleFields

  private struct State {
    /// Where FluidSynth has made room.
    var samples: UnsafeMutableRawPointer?
    var lowBytes: UnsafeMutableRawPointer?
    /// Frames that are in memory.
    var loaded = RangeSet<Int>()
    /// FluidSynth's samples whose loops are to be scanned once they are in memory, for each synth that has loaded
    /// the font.
    var deferred: [OpaquePointer: [SampleLoop: [UnsafeMutableRawPointer]]] = [:]
  }
  private var state = State()
  private let mutex = Mutex(())

  /// - Returns: `nil` where FluidSynth must load the font as a whole: because it is small, compressed or damaged.
  /// - Parameter smallest: A font with fewer bytes of samples is small.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  init?(_ path: String, _ identity: FileIdentity, smallest: Int) throws(InstrumentError) {
    let file = try SampleFile(opening: path)
    guard let fields = SampleFields(), let outline = SoundFontOutline(file),
      outline.samples.count >= smallest, file.isUnchanged(since: identity)
    else {
      file.close()
      return nil
    }
    self.path = path
    self.identity = identity
    self.file = file
    self.outline = outline
    self.fields = fields
    image = outline.image
    board = SampleTable(outline.tables)
  }

  deinit {
    board.destroy()
    file.close()
  }
}

// Loading the font.
extension SampleMemory {
  /// How much of the samples' room takes memory. For tests.
  var residentBytes: Int {
    mutex.withLock { _ in
      guard let room = state.samples else { return 0 }
      let page = sysconf(Int32(_SC_PAGESIZE))
      let start = Int(bitPattern: room) / page * page
      let pages = (Int(bitPattern: room) + outline.frames * 2 - start + page - 1) / page
      var isResident = [UInt8](repeating: 0, count: pages)
      mincore(UnsafeMutableRawPointer(bitPattern: start), pages * page, &isResident)
      return isResident.count { $0 & 1 == 1 } * page
    }
  }

  /// Takes note of the room that FluidSynth has made for a part of the image.
  func setRoom(_ room: UnsafeMutableRawPointer, for content: SoundFontImage.Part.Content) {
    mutex.withLock { _ in
      switch content {
      case .bytes: break
      case .samples: state.samples = room
      case .lowBytes: state.lowBytes = room
      }
    }
    empty(room, size: content.isSamples ? outline.frames * 2 : outline.frames)
  }

  /// Gives the pages of a room back to the system: malloc may have taken it from memory that was in use before.
  private func empty(_ room: UnsafeMutableRawPointer, size: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let start = (Int(bitPattern: room) + page - 1) / page * page
    let end = (Int(bitPattern: room) + size) / page * page
    guard start < end else { return }
    let pages = UnsafeMutableRawPointer(bitPattern: start)
    madvise(pages, end - start, MADV_DONTNEED)
    // A huge page would hold 2 MB of a sample with 20 kB. What is smaller is not worth a mapping of its own.
    if size >= 8 << 20 { madvise(pages, end - start, MADV_NOHUGEPAGE) }
  }

  /// Keeps the samples of a synth that has loaded the font, to be scanned when their data are there.
  ///
  /// - Returns: Whether they are the samples that the file's tables name; if not, they cannot be loaded one by
  ///   one.
  func adopt(_ samples: [UnsafeMutableRawPointer], of owner: OpaquePointer) -> Bool {
    mutex.withLock { _ in
      guard state.samples != nil, samples.count == outline.playableSamples else { return false }
      let known = Set(outline.tables.samples.map { outline.loop(of: $0) })
      var deferred: [SampleLoop: [UnsafeMutableRawPointer]] = [:]
      for sample in samples {
        let loop = fields.loop(of: sample)
        if loop.start >= loop.end {
          // Nothing to scan.
          optimize_sample(sample)
        } else if known.contains(loop) {
          deferred[loop, default: []].append(sample)
        } else {
          return false
        }
      }
      state.deferred[owner] = deferred
      // What others play already.
      for index in outline.tables.samples.indices where board.isReady(index) {
        scan(outline.tables.samples[index])
      }
      return true
    }
  }

  /// Forgets the samples of a synth that is about to be deleted.
  func forget(_ owner: OpaquePointer) { mutex.withLock { _ in state.deferred[owner] = nil } }

  private func scan(_ sample: SoundFontTables.Sample) {
    let loop = outline.loop(of: sample)
    for owner in state.deferred.keys {
      for sample in state.deferred[owner]?.removeValue(forKey: loop) ?? [] {
        optimize_sample(sample)
      }
    }
  }
}

// Loading samples.
extension SampleMemory {
  /// Loads what one note plays.
  ///
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  func load(_ preset: PresetNumber, key: UInt8, velocity: UInt8) throws(InstrumentError) {
    try mutex.withLock { _ throws(InstrumentError) in
      let missing = board.missingSamples(of: preset, key: key, velocity: velocity)
      if missing.isEmpty { return }
      _ = try load(missing[...], most: .max, locking: false)
      board.publishCompletePresets()
    }
  }

  /// Loads what render threads have asked for, and locks it in memory where that is allowed.
  ///
  /// - Parameter bytes: About how much at most. The rest stays asked for.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``; what was asked for is not asked for any more.
  func loadRequested(most bytes: Int) throws(InstrumentError) {
    try mutex.withLock { _ throws(InstrumentError) in
      var left = bytes
      while left > 0, let request = board.takeRequest() {
        let rest = try load(request.samples[...], most: left, locking: true)
        left -= rest.bytes
        if !rest.samples.isEmpty { board.request(request.preset, near: request.key) }
      }
      board.publishCompletePresets()
    }
  }

  /// - Returns: The samples that are still missing, and how many bytes were read.
  private func load(
    _ samples: ArraySlice<Int>, most bytes: Int, locking: Bool
  ) throws(InstrumentError) -> (samples: ArraySlice<Int>, bytes: Int) {
    var rest = samples
    var done = 0
    while done < bytes, let index = rest.popFirst() {
      let sample = outline.tables.samples[index]
      let missing = outline.reach(of: sample).subtracting(state.loaded)
      for range in missing.ranges { done += try read(range, locking: locking) }
      state.loaded.formUnion(missing)
      scan(sample)
      board.publish(index)
    }
    return (rest, done)
  }

  private func read(_ frames: Range<Int>, locking: Bool) throws(InstrumentError) -> Int {
    let parts = [(state.samples, outline.samples, 2), (state.lowBytes, outline.lowBytes, 1)]
    var read = 0
    for case (let room?, let bytes?, let size) in parts {
      let target = UnsafeMutableRawBufferPointer(
        start: room + frames.lowerBound * size, count: frames.count * size)
      try fill(target, at: bytes.lowerBound + frames.lowerBound * size)
      // Fails where the limit is low, which only matters when memory is short.
      if locking { _ = mlock(target.baseAddress!, target.count) }
      read += target.count
    }
    return read
  }

  private func fill(
    _ target: UnsafeMutableRawBufferPointer, at position: Int
  ) throws(InstrumentError) {
    let failure = file.isUnchanged(since: identity) ? file.read(target, at: position) : nil
    if let failure, failure != ENODATA {
      throw .soundFontUnreadable(path: path, reason: errnoDescription(failure))
    }
    guard failure == nil, file.isUnchanged(since: identity) else {
      // Whatever was read is of two files.
      target.initializeMemory(as: UInt8.self, repeating: 0)
      throw .soundFontUnreadable(path: path, reason: "it was changed since it was opened")
    }
  }
}

extension SoundFontImage.Part.Content {
  fileprivate var isSamples: Bool { if case .samples = self { true } else { false } }
}
