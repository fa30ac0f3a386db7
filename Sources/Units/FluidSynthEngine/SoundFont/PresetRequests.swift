import RenderCore
import Synchronization

/// Lets the render thread of an instrument with shared presets request presets of its own from a loading
/// thread, without locks.
struct PresetRequests: ~Copyable {
  /// Whether a message has requested legato, which shared presets cannot play. Written by the render thread.
  private let isRequested = Atomic<Bool>(false)
  /// Whether the request has been handled, successfully or not. Written by the loading thread.
  private let isHandled = Atomic<Bool>(false)
  /// Written by the loading thread before it sets `isHandled`; not changed afterwards.
  private let own: UnsafeMutablePointer<PresetTables?>

  init(in memory: RenderMemory) { own = memory.make(nil) }

  /// Whether there are presets to load. Threads: any.
  var isPending: Bool {
    @_noLocks get {
      isRequested.load(ordering: .relaxed) && !isHandled.load(ordering: .relaxed)
    }
  }

  /// Requests presets, if `message` needs them. Threads: the render thread.
  @_noLocks func request(for message: ChannelMessage) {
    if message.asksForLegato { isRequested.store(true, ordering: .relaxed) }
  }

  /// The presets that were loaded; `nil` if there are none yet or loading failed. Threads: the render thread.
  var loaded: PresetTables? {
    @_noLocks get { isHandled.load(ordering: .acquiring) ? own.pointee : nil }
  }

  /// Loads presets, if they are requested. Only the first request is handled, even if loading fails. Realtime: no.
  func load(_ tables: () throws(InstrumentError) -> PresetTables) throws(InstrumentError) {
    guard isPending else { return }
    defer { isHandled.store(true, ordering: .releasing) }
    own.pointee = try tables()
  }
}

/// The requests of an instrument's render thread to another thread.
struct SupplyRequests: BitwiseCopyable {
  let presets: UnsafeMutablePointer<PresetRequests>
  /// `nil` if all samples are in memory.
  let samples: SampleTable?
  /// `nil` for an instrument without lanes.
  var lanes: UnsafeMutablePointer<LaneProvisioning>?

  /// Whether anything is to be made or loaded. Threads: any.
  var isPending: Bool {
    @_noLocks get {
      if let lanes, lanes.pointee.isPending { return true }
      if let samples, samples.hasPendingRequests { return true }
      return presets.pointee.isPending
    }
  }
}
