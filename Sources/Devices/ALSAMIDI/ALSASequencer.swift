import CALSA
import Glibc
import LocalSystem

/// A client of the kernel's ALSA sequencer.
///
/// It allocates a queue and starts it in the initializer, so that the kernel timestamps each event on arrival.
///
/// The corresponding C type is `snd_seq_t`.
public final class ALSASequencer: Sequencer {
  /// The client name that other programs see.
  public static let clientName = "Portative"

  /// The size of the kernel's input pool, in events. If more arrive between two reads, the pool overruns.
  public static let capacity = 2000

  /// The size of alsa-lib's input buffer, in bytes. A variable-length event can fill the whole kernel pool. An event
  /// larger than this buffer would never leave the kernel, and would block all events behind it.
  private static let bufferSize = 2 * capacity * MemoryLayout<snd_seq_event_t>.size

  public let client: UInt8
  let handle: OpaquePointer
  let queue: CInt

  /// Opens the sequencer.
  ///
  /// - Throws: ``SequencerError/unavailable(code:)`` if there is no sequencer or access is denied.
  public init(clientName: String = ALSASequencer.clientName) throws(SequencerError) {
    calsa_keep_quiet()
    var handle: OpaquePointer?
    let code = snd_seq_open(&handle, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard code == 0, let handle else { throw .unavailable(code: -code) }
    do {
      let number = try check("return the client number", snd_seq_client_id(handle))
      client = UInt8(truncatingIfNeeded: number)
      try check("set the client name", snd_seq_set_client_name(handle, clientName))
      try check("set the input buffer size", snd_seq_set_client_pool_input(handle, Self.capacity))
      try check("set the input buffer size", snd_seq_set_input_buffer_size(handle, Self.bufferSize))
      queue = try check("allocate a queue", snd_seq_alloc_named_queue(handle, clientName))
      let start = CInt(SND_SEQ_EVENT_START.rawValue)
      try check("start the queue", snd_seq_control_queue(handle, queue, start, 0, nil))
      try check("start the queue", snd_seq_drain_output(handle))
    } catch {
      snd_seq_close(handle)
      throw error
    }
    self.handle = handle
  }

  deinit { snd_seq_close(handle) }

  /// A descriptor for `poll`, readable when an event is available.
  public var descriptor: CInt {
    var descriptor = pollfd()
    snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN))
    return descriptor.fd
  }

  public func queueTime() throws(SequencerError) -> UInt64 {
    let status = try Self.allocated(snd_seq_queue_status_malloc)
    defer { snd_seq_queue_status_free(status) }
    try check("read the queue time", snd_seq_get_queue_status(handle, queue, status))
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
        try check("read an event", code)
        return event.map { SequencerEvent($0.pointee) }
      }
    }
  }
}

/// Returns `result`, or throws if it is a negative error code.
@discardableResult
func check(_ operation: String, _ result: CInt) throws(SequencerError) -> CInt {
  if result < 0 { throw .failed(operation: operation, code: -result) }
  return result
}
