import NodeProtocol
import RenderCore

/// The state of a host's render thread for one connection while it is initialized.
///
/// Created and freed outside the render thread, in `HostState+Preparation.swift`. The node owns the shared audio from
/// ``post(frames:hostTime:input:together:)`` until it answers, however late. The host requests the next cycle only
/// then, so neither process reads memory that the other is writing.
///
/// Methods of the render thread are `mutating` even if they change nothing: they are called through a pointer, and the
/// compiler would copy the whole struct for one that is not.
struct HostState {
  let cycle: SegmentCycle
  let phase: AtomicConnectionState
  let format: Format
  /// One pointer per output channel, to the shared memory.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A silent channel of the format's maximum length.
  let silence: UnsafeMutablePointer<Float>
  /// One pointer per output channel of the last cycle: to ``channels`` or to ``silence``.
  let outputs: UnsafeMutablePointer<UnsafePointer<Float>>
  /// One pointer per input channel, to scratch buffers for the `render` that pulls its input.
  let pulled: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// One pointer per input channel, to the shared memory.
  let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The ranges of the node's parameters.
  let parameters: ParameterRanges
  /// The transports of the next cycle.
  var transport: TransportList
  let transportWriter: TransportWriter
  let isOffline: Bool
  /// Offline, the longest wait without progress in nanoseconds; `nil` for no limit.
  let stallLimit: Int64?
  /// The deadline of the current wait; `nil` offline, or without the ``DeadlineTimer``.
  let waitDeadline: WaitDeadline?
  /// The number of consecutive late cycles after which the connection is parked.
  let lateLimit: Int
  /// The longest wait of a render call, as a fraction of the cycle's duration.
  let deadlineFraction: Double
  var writer: EventWriter
  var store: EventStore
  var reader: EventReader
  /// The counters in the shared memory.
  let counters: SegmentCounters
  /// The events that the node sent in the last cycle, in the reader's memory.
  var received = Self.nothing
  static var nothing: MIDICycle {
    @_noLocks get {
      MIDICycle(
        frames: 0, events: UnsafeBufferPointer(start: nil, count: 0),
        sysEx: UnsafeBufferPointer(start: nil, count: 0))
    }
  }
  /// Not stored here, because its histogram is long.
  let statistics: UnsafeMutablePointer<CycleStatistics>
  /// The defects of the last cycle.
  var defects = CycleDefects()
  /// The values of the node's counters `lateNotes` and `invalidInput` at the end of the last cycle.
  var lateNotes: UInt32 = 0
  var invalidInput: UInt32 = 0

  /// The number of the cycle that was requested last.
  var number: UInt32 = 0
  /// Whether the node has not answered that cycle yet.
  var isOutstanding = false
  /// The status of the last cycle; `nil` while its answer may still arrive in time.
  var outcome: RenderStatus? = .late
  /// Whether the audio of the last cycle was rendered.
  var isRendered = false
  var frames = 0
  /// The time at which the last cycle was requested, in nanoseconds of ``MonotonicClock``.
  var postTime: Int64 = 0
  /// The round trip of the last cycle in nanoseconds, for the node; 0 if it was not in time.
  var roundTrip: UInt32 = 0
  /// The limit of the wait for the last cycle in nanoseconds, unless the call has another; `nil` offline.
  var limit: Int64?
  /// The positions of the first frames of the current and the next cycle in the host's stream, which starts at 0.
  var position: Int64 = 0
  var nextPosition: Int64 = 0
  /// The number of consecutive late cycles.
  var lateRun = 0
  /// The processor to which the thread is pinned; negative if it may run on several.
  var processor = Self.unknown
  static var unknown: Int32 { @_noLocks get { -2 } }
}
