import RenderCore

/// The state of an instance's render thread.
///
/// Realtime: yes. `PluginState+Preparation.swift` makes it.
struct PluginState: BitwiseCopyable {
  /// The host's memory for each LV2 port; `nil` for a port that is not connected.
  let ports: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  let portCount: Int
  let eventsPort: Int
  let notificationsPort: Int
  let freewheelPort: Int
  let enabledPort: Int
  let latencyPort: Int
  let firstInput: Int
  let inputCount: Int
  let firstOutput: Int
  let outputCount: Int
  let firstParameter: Int
  let types: AtomTypes

  /// What the instance's worker shares.
  let signals: PluginSignals
  let slot: ConnectionSlot
  /// The number of the connection that the last cycle used.
  var connectionNumber: UInt32 = 0
  /// The value of ``PluginSignals/restored`` at the last cycle.
  var restored: UInt32 = 0
  var wasFreewheeling = false

  /// What the node has sent to the host, which ends with the connection.
  let sent: UnsafeMutablePointer<SourceState>
  /// The channel settings that the host has sent.
  var chase = InstrumentChase()
  /// Space for the messages that bring a new unit to these settings.
  let messages: UnsafeMutablePointer<ChannelMessage>
  /// The host's transport at the next frame; undefined before the host has sent one.
  var transport = Transport()
  var hasTransport = false

  let rate: Double
  /// The longest cycle of a connection. A longer one of the host is rendered in several.
  let maximumFrames: Int
  /// One pointer per channel, to the frames of the current cycle.
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// A channel that is never written.
  let silence: UnsafeMutablePointer<Float>
  /// A channel that is never read, for outputs that are not connected.
  let unused: UnsafeMutablePointer<Float>
  /// A copy of the input for the bypass, because input and output may be the same memory.
  let dry: UnsafeMutablePointer<Float>
  /// 1: only the unit is heard; 0: only the input.
  var wet: Float = 1
  /// The change of ``wet`` per frame: a bypass takes 10 ms.
  let wetStep: Float

  /// Connects an LV2 port to the host's memory.
  @_noLocks func connect(_ port: Int, to memory: UnsafeMutableRawPointer?) {
    if port >= 0, port < portCount { ports[port] = memory }
  }

  /// The value of a control port.
  @_noLocks func control(_ port: Int, _ otherwise: Float) -> Float {
    guard let memory = ports[port] else { return otherwise }
    let value = memory.assumingMemoryBound(to: Float.self).pointee
    return value.isFinite ? value : otherwise
  }
}
