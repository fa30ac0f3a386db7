import RenderCore
import Synchronization

/// The samples of a SoundFont that are in memory, and those that render threads request.
///
/// Valid as long as its ``SampleMemory``.
///
/// `@unchecked Sendable`: the flags and requests are atomic; the rest is not changed after creation.
struct SampleTable: @unchecked Sendable, BitwiseCopyable {
  private typealias Zone = SoundFontTables.Zone

  private struct Preset: BitwiseCopyable {
    var number: PresetNumber
    var firstZone: Int
    var endZone: Int
  }

  /// The presets in order of bank and program.
  private let presets: UnsafeBufferPointer<Preset>
  private let zones: UnsafePointer<Zone>
  /// One flag per sample: whether it is in memory.
  private let ready: UnsafePointer<Atomic<Bool>>
  /// One flag per preset: whether all its samples are in memory.
  private let complete: UnsafePointer<Atomic<Bool>>
  /// One request per preset: 0 for none, otherwise 1 + the key whose samples are loaded first.
  private let requests: UnsafePointer<Atomic<UInt16>>
  /// Whether there may be requests.
  private let hasRequests: UnsafePointer<Atomic<Bool>>

  init(_ tables: SoundFontTables, in memory: RenderMemory) {
    let sorted = tables.presets.sorted { $0.number.sortKey < $1.number.sortKey }
    let list = memory.makeEach(sorted.count) { index in
      let zones = sorted[index].zones
      return Preset(
        number: sorted[index].number, firstZone: zones.lowerBound, endZone: zones.upperBound)
    }
    presets = UnsafeBufferPointer(start: list, count: sorted.count)
    zones = UnsafePointer(memory.makeEach(tables.zones.count) { tables.zones[$0] })
    ready = UnsafePointer(memory.makeEach(tables.samples.count) { _ in Atomic(false) })
    complete = UnsafePointer(memory.makeEach(sorted.count) { _ in Atomic(false) })
    requests = UnsafePointer(memory.makeEach(sorted.count) { _ in Atomic(0) })
    hasRequests = UnsafePointer(memory.make(Atomic(false)))
  }
}

// The render thread's side.
extension SampleTable {
  /// Whether all samples of a note are in memory.
  @_noLocks func hasSamples(of number: PresetNumber, key: UInt8, velocity: UInt8) -> Bool {
    for preset in range(of: number) where !complete[preset].load(ordering: .acquiring) {
      for zone in presets[preset].firstZone..<presets[preset].endZone
      where zones[zone].plays(key: key, velocity: velocity) {
        if !ready[Int(zones[zone].sample)].load(ordering: .acquiring) { return false }
      }
    }
    return true
  }

  /// Requests all samples of a preset, those nearest to a key first.
  @_noLocks func request(_ number: PresetNumber, near key: UInt8) {
    for preset in range(of: number) where !complete[preset].load(ordering: .relaxed) {
      requests[preset].store(UInt16(key) + 1, ordering: .relaxed)
      hasRequests.pointee.store(true, ordering: .releasing)
    }
  }

  /// Whether there may be requests to load.
  var hasPendingRequests: Bool { @_noLocks get { hasRequests.pointee.load(ordering: .relaxed) } }

  /// Returns the indices of the presets with a number.
  @_noLocks private func range(of number: PresetNumber) -> Range<Int> {
    var (low, high) = (0, presets.count)
    while low < high {
      let middle = (low + high) / 2
      if presets[middle].number.sortKey < number.sortKey { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < presets.count, presets[end].number == number { end += 1 }
    return low..<end
  }
}

// The loading side: one thread at a time.
extension SampleTable {
  struct Request {
    let preset: PresetNumber
    let key: UInt8
    /// The requested samples that are not in memory, in the order in which to load them.
    let samples: [Int]
  }

  /// Removes and returns one request; `nil` if there is none.
  func dequeueRequest() -> Request? {
    guard hasRequests.pointee.exchange(false, ordering: .acquiring) else { return nil }
    for preset in presets.indices {
      let request = requests[preset].exchange(0, ordering: .relaxed)
      guard request > 0 else { continue }
      // There may be more requests.
      hasRequests.pointee.store(true, ordering: .relaxed)
      return Request(
        preset: presets[preset].number, key: UInt8(request - 1),
        samples: missingSamples(ofPresetAt: preset, near: Int(request) - 1))
    }
    return nil
  }

  private func zones(ofPresetAt preset: Int) -> UnsafeBufferPointer<Zone> {
    let (first, end) = (presets[preset].firstZone, presets[preset].endZone)
    return UnsafeBufferPointer(start: zones + first, count: end - first)
  }

  private func missingSamples(ofPresetAt preset: Int, near key: Int) -> [Int] {
    let candidates = zones(ofPresetAt: preset)
      .map { (sample: Int($0.sample), distance: $0.distance(from: key)) }
      .filter { !ready[$0.sample].load(ordering: .relaxed) }
    var seen: Set<Int> = []
    return candidates.sorted { $0.distance < $1.distance }.map(\.sample).filter {
      seen.insert($0).inserted
    }
  }

  /// Returns the samples of one note that are not in memory.
  func missingSamples(of number: PresetNumber, key: UInt8, velocity: UInt8) -> [Int] {
    range(of: number).flatMap { zones(ofPresetAt: $0) }
      .filter { $0.plays(key: key, velocity: velocity) && !isReady(Int($0.sample)) }
      .map { Int($0.sample) }
  }

  func isReady(_ sample: Int) -> Bool { ready[sample].load(ordering: .relaxed) }

  /// Marks a sample as loaded, so that render threads may play it.
  func publish(_ sample: Int) { ready[sample].store(true, ordering: .releasing) }

  /// Marks the presets of which all samples are in memory.
  func publishCompletePresets() {
    for preset in presets.indices where !complete[preset].load(ordering: .relaxed) {
      if zones(ofPresetAt: preset).allSatisfy({ isReady(Int($0.sample)) }) {
        complete[preset].store(true, ordering: .releasing)
      }
    }
  }

  /// Whether there is a preset with this number.
  func has(_ number: PresetNumber) -> Bool { !range(of: number).isEmpty }
}

extension PresetNumber {
  fileprivate var sortKey: Int { @_noLocks get { Int(bank) << 16 | Int(program) } }
}

extension SoundFontTables.Zone {
  /// Returns the distance in keys between `key` and the zone's key range; 0 if the range contains it.
  fileprivate func distance(from key: Int) -> Int {
    max(0, Int(lowestKey) - key, key - Int(highestKey))
  }
}
