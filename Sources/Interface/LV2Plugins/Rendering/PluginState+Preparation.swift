import PluginBundle
import RenderCore

extension PluginState {
  /// - Parameters:
  ///   - layout: The order of the ports.
  ///   - memory: Allocates the buffers.
  init(
    _ layout: PluginPorts, _ types: AtomTypes, _ signals: PluginSignals, _ slot: ConnectionSlot,
    rate: Double, maximumFrames: Int, _ memory: RenderMemory
  ) {
    self.types = types
    self.signals = signals
    self.slot = slot
    self.rate = rate
    self.maximumFrames = maximumFrames
    portCount = layout.count
    eventsPort = PluginPorts.events
    notificationsPort = PluginPorts.notifications
    freewheelPort = PluginPorts.freewheel
    enabledPort = PluginPorts.enabled
    latencyPort = PluginPorts.latency
    (firstInput, inputCount) = (layout.audioInputs.lowerBound, layout.audioInputs.count)
    (firstOutput, outputCount) = (layout.audioOutputs.lowerBound, layout.audioOutputs.count)
    firstParameter = layout.parameters.lowerBound
    ports = memory.make(layout.count, of: nil)
    silence = memory.make(maximumFrames, of: 0)
    unused = memory.make(maximumFrames, of: 0)
    dry = memory.make(max(1, inputCount * maximumFrames), of: 0)
    inputs = memory.make(max(1, inputCount), of: UnsafePointer(silence))
    outputs = memory.make(max(1, outputCount), of: unused)
    sent = memory.make(1, of: SourceState())
    messages = memory.make(
      ChannelChase.maximumMessages, of: ChannelMessage(.noteOff, channel: 0, 0))
    wetStep = Float(1 / (0.01 * rate))
  }
}
