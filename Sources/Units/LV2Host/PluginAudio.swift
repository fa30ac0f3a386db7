import CLilv
import RenderCore

/// The audio ports of a plugin and the memory that they are connected to.
///
/// Realtime: yes, except for creation.
struct PluginAudio: BitwiseCopyable {
  let routing: ChannelRouting
  private let inputPorts, outputPorts: UnsafeMutablePointer<UInt32>
  /// Zeros, and the mean of two inputs.
  private let silence, mean: UnsafeMutablePointer<Float>
  /// The plugin's outputs, one after the other, if they are not the channels of the format.
  private let mixed: UnsafeMutablePointer<Float>
  private let maximumFrames: Int

  init(_ plugin: LV2Plugin, _ routing: ChannelRouting, _ format: Format, in memory: RenderMemory) {
    self.routing = routing
    maximumFrames = plugin.needsBlocks ? BlockAdapter.length : format.maximumFrames
    func indices(_ kind: LV2Port.Kind) -> UnsafeMutablePointer<UInt32> {
      let ports = plugin.ports.filter { $0.kind == kind }.map(\.index)
      return memory.makeEach(max(1, ports.count)) { $0 < ports.count ? UInt32(ports[$0]) : 0 }
    }
    inputPorts = indices(.audioInput)
    outputPorts = indices(.audioOutput)
    silence = memory.make(maximumFrames, of: 0)
    mean = memory.make(maximumFrames, of: 0)
    mixed = memory.make(max(1, routing.pluginOutputs) * maximumFrames, of: 0)
  }

  /// Connects the inputs to silence, and the outputs to memory that nobody reads.
  func connectSilence(_ instance: UnsafeMutablePointer<LilvInstance>) {
    for port in 0..<routing.pluginInputs { clilv_connect(instance, inputPorts[port], silence) }
    for port in 0..<routing.pluginOutputs {
      clilv_connect(instance, outputPorts[port], mixed + port * maximumFrames)
    }
  }

  /// Connects the ports to a part of a cycle.
  @_noLocks mutating func connect(
    _ instance: UnsafeMutablePointer<LilvInstance>, _ cycle: RenderCycle, from begin: Int,
    frames: Int
  ) {
    for port in 0..<routing.pluginInputs {
      clilv_connect(
        instance, inputPorts[port],
        UnsafeMutablePointer(mutating: input(port, cycle, begin, frames)))
    }
    for port in 0..<routing.pluginOutputs {
      let memory =
        routing.isDirect || routing.pluginOutputs == 1
        ? cycle.output[port] + begin : mixed + port * maximumFrames
      clilv_connect(instance, outputPorts[port], memory)
    }
  }

  @_noLocks private func input(
    _ port: Int, _ cycle: RenderCycle, _ begin: Int, _ frames: Int
  ) -> UnsafePointer<Float> {
    if routing.inputs == 0 || port >= max(2, routing.inputs) { return UnsafePointer(silence) }
    if routing.pluginInputs == 1, routing.inputs == 2 {
      let (left, right) = (cycle.input[0] + begin, cycle.input[1] + begin)
      for frame in 0..<frames { mean[frame] = (left[frame] + right[frame]) / 2 }
      return UnsafePointer(mean)
    }
    if port < routing.inputs { return cycle.input[port] + begin }
    // A mono input is for both sides, but not for a side chain.
    return port == 1 ? cycle.input[0] + begin : UnsafePointer(silence)
  }

  /// Makes the channels of the format of the plugin's outputs.
  @_noLocks func finish(_ cycle: RenderCycle, from begin: Int, frames: Int) {
    if routing.isDirect { return }
    if routing.pluginOutputs == 1 {
      for channel in 1..<routing.outputs {
        let (source, target) = (cycle.output[0] + begin, cycle.output[channel] + begin)
        for frame in 0..<frames { target[frame] = source[frame] }
      }
      return
    }
    let isMono = routing.outputs == 1
    for side in 0..<2 {
      let target = cycle.output[isMono ? 0 : side] + begin
      var port = side
      while port < routing.pluginOutputs {
        let source = mixed + port * maximumFrames
        let isFirst = isMono ? port == 0 : port == side
        let factor: Float = isMono ? 0.5 : 1
        for frame in 0..<frames {
          let sample = source[frame] * factor
          target[frame] = isFirst ? sample : target[frame] + sample
        }
        port += 2
      }
    }
  }
}
