import NodeHost
import RenderCore
import Threads

extension PluginState {
  /// Renders a cycle of the host: any number of frames, also none or more than the host has announced.
  @_noLocks mutating func run(frames: Int) {
    if signals.awaitsRun.value != 0 { reportRun() }
    if signals.restored.value != restored {
      restored = signals.restored.value
      chase = InstrumentChase()
    }
    var writer = AtomWriter(ports[notificationsPort], types)
    reportProperty(&writer)
    var reader = AtomReader(ports[eventsPort].map { UnsafeRawPointer($0) }, types)
    let isFreewheeling = control(freewheelPort, 0) > 0
    if isFreewheeling != wasFreewheeling {
      wasFreewheeling = isFreewheeling
      signals.isFreewheeling.store(isFreewheeling ? 1 : 0)
      requestUnit()
    } else if isFreewheeling, startsSong(reader) {
      requestUnit()
    }
    var active = takeConnection()
    if active == nil, isFreewheeling, frames > 0 { active = awaitConnection() }
    if let active {
      if active.pointee.number != connectionNumber {
        writer.end(&sent.pointee, at: 0)
        establish(active.pointee)
      }
      scheduleControls(active.pointee)
    }
    var begin = 0
    while begin < frames {
      let count = min(maximumFrames, frames - begin)
      setBuffers(begin, count)
      schedule(&reader, from: begin, count, isLast: begin + count == frames, active)
      let isRendered = render(count, active)
      if let active, isRendered {
        let received = active.pointee.connection._withUnsafeGuaranteedRef { $0.receivedEvents }
        writer.append(received, from: begin, sent)
        if received.events.count > 0 { signals.reportChange() }
      } else {
        writer.end(&sent.pointee, at: begin)
      }
      mixBypass(count)
      transport = transport.after(frames: count, sampleRate: rate)
      begin += count
    }
    if frames == 0 { schedule(&reader, from: 0, 0, isLast: true, active) }
    if let latency = ports[latencyPort]?.assumingMemoryBound(to: Float.self) {
      latency.pointee = Float(signals.latency.value)
    }
    if let active { slot.giveBack(active) }
  }
}
