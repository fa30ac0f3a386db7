import CALSA
import Glibc
import LocalSystem

/// A client of the kernel's sequencer.
///
/// It has a queue of its own, which is started at once, so that the kernel can say of each event when
/// it came.
///
/// The corresponding C type is `snd_seq_t`.
public final class ALSASequencer: Sequencer {
  /// What other programs know us by.
  public static let clientName = "Portative"

  /// The most events that the kernel keeps for us between two looks; more is an overrun.
  public static let capacity = 2000

  /// An event with bytes may be as long as all that the kernel keeps. One that did not go into alsa-lib's
  /// buffer would stay in the kernel's for ever, and so would all that follow.
  private static let bufferSize = 2 * capacity * MemoryLayout<snd_seq_event_t>.size

  public let client: UInt8
  let handle: OpaquePointer
  let queue: CInt

  /// Opens the sequencer.
  ///
  /// - Throws: ``SequencerError/unavailable(code:)`` where there is none, or we may not use it.
  public init(clientName: String = ALSASequencer.clientName) throws(SequencerError) {
    calsa_keep_quiet()
    var handle: OpaquePointer?
    let code = snd_seq_open(&handle, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard code == 0, let handle else { throw .unavailable(code: -code) }
    do {
      let number = try check("tell our number", snd_seq_client_id(handle))
      client = UInt8(truncatingIfNeeded: number)
      try check("take our name", snd_seq_set_client_name(handle, clientName))
      try check("keep events", snd_seq_set_client_pool_input(handle, Self.capacity))
      try check("keep events", snd_seq_set_input_buffer_size(handle, Self.bufferSize))
      queue = try check("make a queue", snd_seq_alloc_named_queue(handle, clientName))
      let start = CInt(SND_SEQ_EVENT_START.rawValue)
      try check("start a queue", snd_seq_control_queue(handle, queue, start, 0, nil))
      try check("start a queue", snd_seq_drain_output(handle))
    } catch {
      snd_seq_close(handle)
      throw error
    }
    self.handle = handle
  }

  deinit { snd_seq_close(handle) }

  /// Readable when there is an event; for `poll`.
  public var descriptor: CInt {
    var descriptor = pollfd()
    snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN))
    return descriptor.fd
  }

  public func queueTime() throws(SequencerError) -> UInt64 {
    let status = try Self.allocated(snd_seq_queue_status_malloc)
    defer { snd_seq_queue_status_free(status) }
    try check("tell the time", snd_seq_get_queue_status(handle, queue, status))
    let time = snd_seq_queue_status_get_real_time(status).pointee
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  public func nextEvent() throws(SequencerError) -> SequencerEvent? {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while true {
      let code = snd_seq_event_input(handle, &event)
      switch -code {
      case EINTR: continue
      case EAGAIN: return nil
      case ENOSPC: throw .overrun
      default:
        try check("give an event", code)
        return event.map { SequencerEvent($0.pointee) }
      }
    }
  }
}

/// - Returns: The result of a call, if it is no error.
@discardableResult
func check(_ operation: String, _ result: CInt) throws(SequencerError) -> CInt {
  if result < 0 { throw .failed(operation: operation, code: -result) }
  return result
}
