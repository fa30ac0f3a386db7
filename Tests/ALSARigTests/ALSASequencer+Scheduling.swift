import CALSA

@testable import ALSABridge

extension ALSASequencer {
  /// Lets the kernel send a control change, and waits until it has room for that.
  ///
  /// - Parameter time: By our queue, in nanoseconds; what is past already is sent at once.
  func schedule(
    controller: UInt32, _ value: UInt8, to receiver: PortAddress, at time: UInt64
  ) throws {
    var event = snd_seq_event_t()
    event.type = UInt8(SND_SEQ_EVENT_CONTROLLER.rawValue)
    event.flags = UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
    event.queue = UInt8(queue)
    event.time.time.tv_sec = UInt32(time / 1_000_000_000)
    event.time.time.tv_nsec = UInt32(time % 1_000_000_000)
    event.dest = snd_seq_addr_t(receiver)
    event.data.control.param = controller
    event.data.control.value = CInt(value)
    _ = try wait { () -> CInt? in
      let code = snd_seq_event_output_direct(handle, &event)
      return code >= 0 ? code : nil
    }
  }
}
