import CALSA

@testable import ALSA

extension ALSASequencer {
  /// Schedules a control change in the kernel, and waits for space in its queue.
  ///
  /// - Parameter time: The time of our queue in nanoseconds; a past time sends the event immediately.
  func schedule(
    controller: UInt32, _ value: UInt8, to receiver: PortAddress, at time: UInt64
  ) throws {
    var event = snd_seq_event_t()
    event.type = UInt8(SND_SEQ_EVENT_CONTROLLER.rawValue)
    event.data.control.param = controller
    event.data.control.value = CInt(value)
    try schedule(event, to: receiver, at: time)
  }

  /// Schedules an event in the kernel, and waits for space in its queue.
  func schedule(_ event: snd_seq_event_t, to receiver: PortAddress, at time: UInt64) throws {
    var event = event
    event.flags |= UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
    event.queue = UInt8(queue)
    event.time.time.tv_sec = UInt32(time / 1_000_000_000)
    event.time.time.tv_nsec = UInt32(time % 1_000_000_000)
    event.dest = snd_seq_addr_t(receiver)
    try send(event)
  }

  /// Sends an event immediately to a port, which need not be connected.
  func send(_ event: snd_seq_event_t, to receiver: PortAddress) throws {
    var event = event
    event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    event.dest = snd_seq_addr_t(receiver)
    try send(event)
  }

  /// Sends bytes of System Exclusive in one event.
  func send(sysEx bytes: [UInt8], to receiver: PortAddress) throws {
    var bytes = bytes
    try bytes.withUnsafeMutableBytes { bytes in
      var event = snd_seq_event_t()
      event.type = UInt8(SND_SEQ_EVENT_SYSEX.rawValue)
      event.flags = UInt8(SND_SEQ_EVENT_LENGTH_VARIABLE)
      event.data.ext = snd_seq_ev_ext_t(len: UInt32(bytes.count), ptr: bytes.baseAddress)
      try send(event, to: receiver)
    }
  }

  private func send(_ event: snd_seq_event_t) throws {
    var event = event
    _ = try wait { () -> CInt? in
      let code = snd_seq_event_output_direct(handle, &event)
      return code >= 0 ? code : nil
    }
  }

  /// Enlarges the client's pool and buffer, so that it can send long events.
  func enlargeOutput() throws {
    try check("send long events", snd_seq_set_client_pool_output(handle, Self.capacity))
    try check("send long events", snd_seq_set_output_buffer_size(handle, 65_536))
  }

  /// Adds a port from which other clients can receive events.
  func addSender(named name: String) throws -> PortAddress {
    let capabilities = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    let port = try check(
      "make a port",
      snd_seq_create_simple_port(
        handle, name, capabilities, UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC)))
    return PortAddress(client: client, port: UInt8(port))
  }
}

extension snd_seq_event_t {
  static func note(_ type: snd_seq_event_type, _ key: UInt8, _ velocity: UInt8) -> Self {
    var event = Self()
    event.type = UInt8(type.rawValue)
    event.data.note.note = key
    event.data.note.velocity = velocity
    return event
  }
}
