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
      } else if let object = AtomObject(event, types) {
        if object.type == types.patchSet { setProperty(object.properties) }
        if object.type == types.patchGet, signals.asksForProperties.exchange(0, for: 1) {
          signals.wakeWorker()
        }
      }
      reader.removeFirst()
    }
  }

  /// Passes a property that the user has set to the worker, unless the last one is still there.
  @_noLocks private func setProperty(_ properties: AtomReader) {
    var properties = properties
    var key: LV2_URID = 0
    var value: AtomRecord?
    while let property = properties.removeFirst() {
      if property.key == types.patchProperty, property.type == types.urid, property.body.count >= 4
      {
        key = property.body.loadUnaligned(as: LV2_URID.self)
      }
      if property.key == types.patchValue { value = property }
    }
    guard key != 0, let value, value.type == types.string || value.type == types.path,
      value.body.count > 0
    else { return }
    let new = PropertyMailbox.Value(key: key, type: value.type, bytes: value.body)
    if signals.propertyFromHost.put(new) { signals.wakeWorker() }
  }

  /// Tells the host the value of a property, if the worker has passed one.
  @_noLocks func reportProperty(_ writer: inout AtomWriter) {
    guard let value = signals.propertyToHost.content else { return }
    writer.append(value, types)
    signals.propertyToHost.clear()
    // There may be another one.
    signals.wakeWorker()
  }

  /// Schedules a message of the host, and follows it. Bytes that are not one complete message are left out.
  @_noLocks private mutating func schedule(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, isEnabled: Bool,
    _ active: UnsafeMutablePointer<ActiveConnection>?
  ) {
    let memory = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let message = MIDIMessage(UnsafeBufferPointer(start: memory, count: bytes.count)) else {
      return
    }
    switch message {
    case .channel(let message):
      // A note would sound when the bypass ends.
      if message.startsNote, !isEnabled { return }
      chase.follow(message)
      if !message.startsNote, !message.endsNote { signals.reportChange() }
    case .sysEx(let inner):
      chase.follow(sysEx: inner)
      signals.reportChange()
    case .system: break
    }
    guard let active else { return }
    _ = active.pointee.connection._withUnsafeGuaranteedRef { $0.schedule(message, at: offset) }
  }
}
