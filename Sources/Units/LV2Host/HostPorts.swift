import LV2Atoms
import RenderCore

/// The control ports that the host sets or reads: whether it waits for no deadline, the position of the song, and the latency.
///
/// Realtime: yes, except for creation.
struct HostPorts: BitwiseCopyable {
  private let freeWheeling, enabled, latencyPort: Int
  private let speed, tempo, beatUnit, beatsPerBar: Int

  init(_ plugin: LV2Plugin) {
    func input(_ designation: String) -> Int {
      plugin.ports.first { $0.kind == .controlInput && $0.designation == designation }?.index ?? -1
    }
    freeWheeling = input(LV2URI.freeWheeling)
    enabled = input(LV2URI.enabled)
    latencyPort = plugin.latencyPort?.index ?? -1
    speed = input(LV2URI.time + "speed")
    tempo = input(LV2URI.time + "beatsPerMinute")
    beatUnit = input(LV2URI.time + "beatUnit")
    beatsPerBar = input(LV2URI.time + "beatsPerBar")
  }

  /// Whether any port is for the position of the song.
  var hasTime: Bool {
    @_noLocks get { speed >= 0 || tempo >= 0 || beatUnit >= 0 || beatsPerBar >= 0 }
  }

  @_noLocks func set(isFreewheeling: Bool, _ controls: UnsafeMutablePointer<Float>) {
    if freeWheeling >= 0 { controls[freeWheeling] = isFreewheeling ? 1 : 0 }
    if enabled >= 0 { controls[enabled] = 1 }
  }

  @_noLocks func set(_ transport: Transport, _ controls: UnsafeMutablePointer<Float>) {
    let meter = transport.provides.has(.meter) ? transport.meter : Meter()
    if speed >= 0 { controls[speed] = transport.advances ? 1 : 0 }
    if tempo >= 0, transport.provides.has(.beat) {
      controls[tempo] = Float(transport.tempo / meter.beatLength)
    }
    if beatUnit >= 0 { controls[beatUnit] = Float(meter.unit) }
    if beatsPerBar >= 0 { controls[beatsPerBar] = Float(meter.count) }
  }

  /// The latency that the plugin has stated, in frames; 0 if it states an impossible one.
  @_noLocks func latency(_ controls: UnsafeMutablePointer<Float>) -> UInt32 {
    if latencyPort < 0 { return 0 }
    let frames = controls[latencyPort]
    // The comparisons are false for NaN.
    return frames > 0 && frames <= Float(Format.longestLatency) ? UInt32(frames) : 0
  }
}
