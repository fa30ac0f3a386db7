import CFluidSynth
import CFluidSynthOverrides
import Glibc
import LocalSystem
import RenderCore
import Synchronization

/// The samples of one SoundFont, loaded into memory as they are needed.
///
/// FluidSynth allocates a buffer for all samples when it loads the font (``SampleSource``), but the buffer is
/// left empty: untouched pages take no memory. A sample is read into its place in the buffer before the first
/// note that plays it. Voices find every sample at the address where FluidSynth would have loaded it, and the
/// output has the same bits.
///
/// The file is read instead of mapped, so a render thread never waits for a disk, and a file that is truncated
/// is an error here instead of a SIGBUS on a render thread.
///
/// Realtime: no, except ``table``. Threads: any.
///
/// `@unchecked Sendable`: `state` is guarded by `mutex`.
final class SampleMemory: @unchecked Sendable {
  let table: SampleTable
  let image: SoundFontImage
  private let memory = RenderMemory()
  private let path: String
  private let identity: FileVersion
  private let file: SampleFile
  private let outline: SoundFontOutline
  private let fields: SampleFields

  private struct State {
    /// FluidSynth's buffers.
    var samples: UnsafeMutableRawPointer?
    var lowBytes: UnsafeMutableRawPointer?
    /// The frames that are in memory.
    var loaded = RangeSet<Int>()
    /// For each synth that has loaded the font: FluidSynth's samples whose loops must be scanned once they are
    /// in memory.
    var deferred: [OpaquePointer: [SampleLoop: [UnsafeMutableRawPointer]]] = [:]
  }
  private var state = State()
  private let mutex = Mutex(())

  /// - Parameters:
  ///   - path: The path of the SoundFont.
  ///   - identity: The identity of the file when the SoundFont was opened.
  ///   - smallest: A font with fewer bytes of samples is small.
  /// - Returns: `nil` if FluidSynth must load the font as a whole, because it is small, compressed or damaged.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  init?(_ path: String, _ identity: FileVersion, smallest: Int) throws(InstrumentError) {
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
    table = SampleTable(outline.tables, in: memory)
  }

  deinit { file.close() }
}

// Loading the font.
extension SampleMemory {
  /// The resident size of the sample buffer, in bytes. For tests.
  var residentBytes: Int {
    mutex.withLock { _ in
      guard let buffer = state.samples else { return 0 }
      let page = sysconf(Int32(_SC_PAGESIZE))
      let start = Int(bitPattern: buffer) / page * page
      let pages = (Int(bitPattern: buffer) + outline.frames * 2 - start + page - 1) / page
      var isResident = [UInt8](repeating: 0, count: pages)
      mincore(UnsafeMutableRawPointer(bitPattern: start), pages * page, &isResident)
      return isResident.count { $0 & 1 == 1 } * page
    }
  }

  /// Sets the buffer that FluidSynth has allocated for a part of the image.
  func setBuffer(_ buffer: UnsafeMutableRawPointer, for content: SoundFontImage.Part.Content) {
    mutex.withLock { _ in
      switch content {
      case .bytes: break
      case .samples: state.samples = buffer
      case .lowBytes: state.lowBytes = buffer
      }
    }
    releasePages(of: buffer, size: content.isSamples ? outline.frames * 2 : outline.frames)
  }

  /// Returns the pages of a buffer to the system, because malloc may have reused resident memory for it: perhaps that of
  /// a font that was freed, whose samples were locked. The system keeps locked pages.
  private func releasePages(of buffer: UnsafeMutableRawPointer, size: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let start = (Int(bitPattern: buffer) + page - 1) / page * page
    let end = (Int(bitPattern: buffer) + size) / page * page
    guard start < end else { return }
    let pages = UnsafeMutableRawPointer(bitPattern: start)
    munlock(pages, end - start)
    madvise(pages, end - start, MADV_DONTNEED)
    // A huge page would take 2 MB for a sample of 20 kB. For smaller buffers a separate mapping is not worth it.
    if size >= 8 << 20 { madvise(pages, end - start, MADV_NOHUGEPAGE) }
  }

  /// Unlocks the samples before FluidSynth frees its buffers. malloc may keep their memory, and what it is used for next
  /// would count towards RLIMIT_MEMLOCK.
  func unlock() {
    mutex.withLock { _ in
      if let samples = state.samples { munlock(samples, outline.frames * 2) }
      if let lowBytes = state.lowBytes { munlock(lowBytes, outline.frames) }
    }
  }

  /// Registers the samples of a synth that has loaded the font. Their loops are scanned when their data are loaded.
  ///
  /// - Returns: Whether they match the sample headers in the file; if not, they cannot be loaded one by one.
  func register(_ samples: [UnsafeMutableRawPointer], of owner: OpaquePointer) -> Bool {
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
      // Samples that are already in memory.
      for index in outline.tables.samples.indices where table.isReady(index) {
        scan(outline.tables.samples[index])
      }
      return true
    }
  }

  /// Removes the samples of a synth that is about to be deleted.
  func unregister(_ owner: OpaquePointer) { mutex.withLock { _ in state.deferred[owner] = nil } }

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
  /// Loads the samples of one note.
  ///
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  func load(_ preset: PresetNumber, key: UInt8, velocity: UInt8) throws(InstrumentError) {
    try mutex.withLock { _ throws(InstrumentError) in
      let missing = table.missingSamples(of: preset, key: key, velocity: velocity)
      if missing.isEmpty { return }
      _ = try load(missing[...], most: .max, locking: false)
      table.publishCompletePresets()
    }
  }

  /// Loads samples that render threads have requested, and locks them in memory where the limits allow it.
  ///
  /// - Parameter bytes: The approximate maximum to load. The rest stays requested.
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``; the failed request is dropped.
  func loadRequested(upTo bytes: Int) throws(InstrumentError) {
    try mutex.withLock { _ throws(InstrumentError) in
      var left = bytes
      while left > 0, let request = table.dequeueRequest() {
        let rest = try load(request.samples[...], most: left, locking: true)
        left -= rest.bytes
        if !rest.samples.isEmpty { table.request(request.preset, near: request.key) }
      }
      table.publishCompletePresets()
    }
  }

  /// - Returns: The samples that are still missing, and the number of bytes that were read.
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
      table.publish(index)
    }
    return (rest, done)
  }

  private func read(_ frames: Range<Int>, locking: Bool) throws(InstrumentError) -> Int {
    let parts = [(state.samples, outline.samples, 2), (state.lowBytes, outline.lowBytes, 1)]
    var read = 0
    for case (let buffer?, let bytes?, let size) in parts {
      let target = UnsafeMutableRawBufferPointer(
        start: buffer + frames.lowerBound * size, count: frames.count * size)
      try fill(target, at: bytes.lowerBound + frames.lowerBound * size)
      // Fails if RLIMIT_MEMLOCK is low. That matters only when the system runs out of memory.
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
      // The bytes read may be a mix of two versions of the file.
      target.initializeMemory(as: UInt8.self, repeating: 0)
      throw .soundFontUnreadable(path: path, reason: "the file has changed since it was opened")
    }
  }
}

extension SoundFontImage.Part.Content {
  fileprivate var isSamples: Bool { if case .samples = self { true } else { false } }
}

/// The offsets of the loop points in FluidSynth's sample structure, which has a setter for them but no getter.
///
/// They are found at run time by setting a loop, because they differ between FluidSynth versions.
struct SampleFields {
  private let loopStart: Int
  private let loopEnd: Int

  /// - Returns: `nil` if the loop points are not stored as two 32-bit numbers.
  init?() {
    guard let sample = new_fluid_sample() else { return nil }
    defer { delete_fluid_sample(sample) }
    let (start, end) = (UInt32(0x1BAD_B002), UInt32(0x2CAF_E003))
    guard fluid_sample_set_loop(sample, start, end) == FLUID_OK else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: UnsafeRawPointer(sample), count: Int(fluid_sample_sizeof()))
    func offsets(of number: UInt32) -> [Int] {
      stride(from: 0, to: bytes.count - 3, by: 4).filter {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == number
      }
    }
    guard offsets(of: start).count == 1, offsets(of: end).count == 1 else { return nil }
    (loopStart, loopEnd) = (offsets(of: start)[0], offsets(of: end)[0])
  }

  /// Returns the loop of a `fluid_sample_t`.
  func loop(of sample: UnsafeMutableRawPointer) -> SampleLoop {
    SampleLoop(
      start: Int(sample.load(fromByteOffset: loopStart, as: UInt32.self)),
      end: Int(sample.load(fromByteOffset: loopEnd, as: UInt32.self)))
  }
}
