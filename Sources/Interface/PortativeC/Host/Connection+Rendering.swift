public import CPortative
import NodeHost
import RenderCore

// Realtime: yes.

@_noLocks @_cdecl("portative_connection_schedule")
public func portative_connection_schedule(
  _ connection: OpaquePointer!, _ offset: Int64, _ bytes: UnsafePointer<UInt8>!, _ count: UInt32
) -> portative_schedule_status {
  let bytes = UnsafeBufferPointer(start: bytes, count: Int(count))
  return portative_schedule_status(
    connection.connection._withUnsafeGuaranteedRef { $0.schedule(bytes: bytes, at: Int(offset)) })
}

@_noLocks @_cdecl("portative_connection_schedule_event")
public func portative_connection_schedule_event(
  _ connection: OpaquePointer!, _ event: UnsafePointer<portative_event>!
) -> portative_schedule_status {
  guard let content = event.pointee.event else { return PORTATIVE_MALFORMED }
  let cycle = MIDICycle(frames: 1, sysEx: event.pointee.systemExclusiveBytes)
  return portative_schedule_status(
    connection.connection._withUnsafeGuaranteedRef { $0.schedule(content, of: cycle) })
}

@_noLocks @_cdecl("portative_connection_schedule_parameter")
public func portative_connection_schedule_parameter(
  _ connection: OpaquePointer!, _ offset: Int64, _ index: UInt32, _ value: Float, _ ramp: UInt32
) -> portative_schedule_status {
  portative_schedule_status(
    connection.connection._withUnsafeGuaranteedRef {
      $0.schedule(parameter: Int(index), to: value, over: Int(ramp), at: Int(offset))
    })
}

@_noLocks @_cdecl("portative_connection_set_transport")
public func portative_connection_set_transport(
  _ connection: OpaquePointer!, _ offset: UInt32,
  _ transport: UnsafePointer<portative_transport>!
) -> portative_schedule_status {
  let transport = Transport(transport.pointee)
  return portative_schedule_status(
    connection.connection._withUnsafeGuaranteedRef {
      $0.setTransport(transport, at: Int(offset))
    })
}

@_noLocks @_cdecl("portative_connection_render")
public func portative_connection_render(
  _ connection: OpaquePointer!, _ frames: UInt32, _ hostTime: Int64,
  _ input: UnsafePointer<UnsafePointer<Float>?>!, _ inputChannels: UInt32,
  _ output: UnsafePointer<UnsafeMutablePointer<Float>?>!
) -> portative_render_status {
  let time = hostTime == 0 ? nil : hostTime
  let input = AudioInput(input, count: inputChannels)
  guard let output else {
    return portative_render_status(
      connection.connection._withUnsafeGuaranteedRef {
        $0.render(frames: Int(frames), hostTime: time, input: input)
      })
  }
  let channels = UnsafeRawPointer(output).assumingMemoryBound(
    to: UnsafeMutablePointer<Float>.self)
  return portative_render_status(
    connection.connection._withUnsafeGuaranteedRef {
      $0.render(frames: Int(frames), hostTime: time, input: input, into: channels)
    })
}

@_noLocks @_cdecl("portative_connection_begin")
public func portative_connection_begin(
  _ connection: OpaquePointer!, _ frames: UInt32, _ hostTime: Int64,
  _ input: UnsafePointer<UnsafePointer<Float>?>!, _ inputChannels: UInt32
) -> portative_render_status {
  let time = hostTime == 0 ? nil : hostTime
  let input = AudioInput(input, count: inputChannels)
  return portative_render_status(
    connection.connection._withUnsafeGuaranteedRef {
      $0.begin(frames: Int(frames), hostTime: time, input: input)
    })
}

@_noLocks @_cdecl("portative_connection_finish")
public func portative_connection_finish(
  _ connection: OpaquePointer!, _ limit: Int64
) -> portative_render_status {
  portative_render_status(
    connection.connection._withUnsafeGuaranteedRef { $0.finish(within: limit < 0 ? nil : limit) })
}

@_noLocks @_cdecl("portative_connection_audio")
public func portative_connection_audio(
  _ connection: OpaquePointer!, _ channels: UnsafeMutablePointer<UInt32>!
) -> UnsafePointer<UnsafePointer<Float>?>! {
  let audio = connection.connection._withUnsafeGuaranteedRef { $0.audio }
  channels?.pointee = UInt32(truncatingIfNeeded: audio.count)
  return audio.cChannels
}

extension AudioInput {
  @_noLocks fileprivate init(_ channels: UnsafePointer<UnsafePointer<Float>?>?, count: UInt32) {
    guard let channels, count > 0 else {
      self.init()
      return
    }
    self.init(
      UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self),
      count: Int(count))
  }

  /// The pointers to the channels, in the type that C declarations have in Swift.
  var cChannels: UnsafePointer<UnsafePointer<Float>?>? {
    @_noLocks get {
      guard let channels else { return nil }
      return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>?.self)
    }
  }
}

extension portative_schedule_status {
  @_noLocks fileprivate init(_ status: ScheduleStatus) {
    self =
      switch status {
      case .accepted: PORTATIVE_ACCEPTED
      case .full: PORTATIVE_FULL
      case .tooLong: PORTATIVE_TOO_LONG
      case .malformed: PORTATIVE_MALFORMED
      case .unknownParameter: PORTATIVE_UNKNOWN_PARAMETER
      case .outOfRange: PORTATIVE_OUT_OF_RANGE
      case .notRunning: PORTATIVE_NOT_RUNNING
      }
  }
}

extension portative_render_status {
  @_noLocks fileprivate init(_ status: RenderStatus) {
    self =
      switch status {
      case .rendered: PORTATIVE_RENDERED
      case .late: PORTATIVE_LATE
      case .parked: PORTATIVE_IS_PARKED
      case .notInitialized: PORTATIVE_NOT_INITIALIZED
      case .connectionLost: PORTATIVE_CONNECTION_LOST
      case .badFrameCount: PORTATIVE_BAD_FRAME_COUNT
      }
  }
}
