import CLV2
import NodeHost
import RenderCore
import Threads

// The host's events and control values.
extension PluginState {
  /// Whether the song begins to play on the first frame of the host's cycle.
  @_noLocks func startsSong(_ reader: AtomReader) -> Bool {
    if hasTransport, transport.isPlaying { return false }
    var reader = reader
    while let event = reader.first, event.frame <= 0 {
      if let position = Transport(event, types) { return position.isPlaying }
      reader.removeFirst()
    }
    return false
  }

  /// Sends the control ports that have changed. Values out of the node's range are clamped; NaN is ignored.
  @_noLocks func scheduleControls(_ active: ActiveConnection) {
    for index in 0..<signals.count where active.indices[index] >= 0 {
      let known = signals[control: index]
      let value = control(firstParameter + index, known)
      if value == known { continue }
      let range = active.ranges[index]
      let status = active.connection._withUnsafeGuaranteedRef {
        $0.schedule(
          parameter: Int(active.indices[index]),
          to: max(range.lowerBound, min(value, range.upperBound)), at: 0)
      }
      if status == .full { return }
      signals[control: index] = value
      signals.reportChange()
    }
  }

  /// Schedules the host's events of a cycle, and follows them.
  ///
  /// Events before the cycle act on its first frame, and events after the host's last cycle on its last frame.
  ///
  /// - Parameters:
  ///   - begin: The cycle's first frame in the host's cycle.
  ///   - frames: The number of frames.
  ///   - isLast: Whether this is the last part of the host's cycle.
  @_noLocks mutating func schedule(
    _ reader: inout AtomReader, from begin: Int, _ frames: Int, isLast: Bool,
    _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    if let active, hasTransport {
      active.pointee.connection._withUnsafeGuaranteedRef { _ = $0.setTransport(transport, at: 0) }
    }
    let isEnabled = control(enabledPort, 1) > 0
    while let event = reader.first {
      if !isLast, event.frame >= Int64(begin + frames) { break }
      let offset = max(
        0, min(Int(min(max(event.frame, 0), Int64(begin + frames))) - begin, frames - 1))
      if event.type == types.midi {
        schedule(event.body, at: offset, isEnabled: isEnabled, active)
      } else if let position = Transport(event, types) {
        // The transport is kept as of the cycle's first frame.
        transport = position.after(frames: -offset, sampleRate: rate)
        hasTransport = true
        if let active {
          active.pointee.connection._withUnsafeGuaranteedRef {
            _ = $0.setTransport(position, at: offset)
          }
        }
      } else if let object = AtomObject(event, types), object.type == types.patchSet {
        setProperty(object.properties)
      }
      reader.removeFirst()
    }
  }

  /// Passes the port that the user has selected to the worker. Other properties are ignored.
  @_noLocks private func setProperty(_ properties: AtomReader) {
    var properties = properties
    var isPort = false
    var value = UnsafeRawBufferPointer(start: nil, count: 0)
    while let property = properties.removeFirst() {
      if property.key == types.patchProperty, property.type == types.urid, property.body.count >= 4
      {
        isPort = property.body.loadUnaligned(as: LV2_URID.self) == types.port
      }
      if property.key == types.patchValue, property.type == types.string { value = property.body }
    }
    guard isPort, value.count > 0, value.count <= PluginSignals.longestPortText,
      signals.portTextCount.value == 0
    else { return }
    for index in 0..<value.count { signals.portText[index] = value[index] }
    signals.portTextCount.store(UInt32(value.count))
    signals.wakeWorker()
  }

  @_noLocks private mutating func schedule(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, isEnabled: Bool,
    _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    if bytes.count == 0 { return }
    let message = ChannelMessage(
      status: bytes[0], data1: bytes.count > 1 ? bytes[1] : 0,
      data2: bytes.count > 2 ? bytes[2] : 0)
    if let message {
      // A note would sound when the bypass ends.
      if message.startsNote, !isEnabled { return }
      chase.follow(message)
      if !message.startsNote, !message.endsNote { signals.reportChange() }
    } else if bytes.count > 2, bytes[0] == 0xF0 {
      let inner = bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) + 1 }
      chase.follow(sysEx: UnsafeBufferPointer(start: inner, count: bytes.count - 2))
      signals.reportChange()
    }
    guard let active else { return }
    let buffer = UnsafeBufferPointer(
      start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    _ = active.pointee.connection._withUnsafeGuaranteedRef {
      $0.schedule(bytes: buffer, at: offset)
    }
  }
}
