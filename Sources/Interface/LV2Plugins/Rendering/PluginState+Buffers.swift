import NodeHost
import RenderCore

// The audio of a cycle.
extension PluginState {
  /// Sets the pointers to the frames of a cycle.
  @_noLocks func setBuffers(_ begin: Int, _ frames: Int) {
    for channel in 0..<inputCount {
      let memory = ports[firstInput + channel]
      if let memory {
        inputs[channel] = UnsafePointer(memory.assumingMemoryBound(to: Float.self) + begin)
      } else {
        inputs[channel] = UnsafePointer(silence)
      }
    }
    for channel in 0..<outputCount {
      let memory = ports[firstOutput + channel]
      if let memory {
        outputs[channel] = memory.assumingMemoryBound(to: Float.self) + begin
      } else {
        outputs[channel] = unused
      }
    }
  }

  /// Renders a cycle; silence without a connection.
  ///
  /// - Returns: Whether the node renders the port.
  @_noLocks func render(
    _ frames: Int, _ active: UnsafeMutablePointer<ActiveConnection>?
  ) -> Bool {
    if isBypassing {
      for channel in 0..<inputCount {
        UnsafeMutableRawPointer(dry + channel * maximumFrames).copyMemory(
          from: inputs[channel], byteCount: frames * MemoryLayout<Float>.stride)
      }
    }
    guard let active else {
      for channel in 0..<outputCount { outputs[channel].update(repeating: 0, count: frames) }
      return false
    }
    let input = AudioInput(UnsafePointer(inputs), count: inputCount)
    let status = active.pointee.connection._withUnsafeGuaranteedRef {
      $0.render(frames: frames, input: input, into: UnsafePointer(outputs))
    }
    if status == .rendered { return true }
    if status == .late { signals.reportLateCycle() }
    for channel in 0..<outputCount { outputs[channel].update(repeating: 0, count: frames) }
    return status == .late
  }

  private var isBypassing: Bool {
    @_noLocks get { wet != 1 || control(enabledPort, 1) <= 0 }
  }

  /// Fades from the unit to the input while the plugin is bypassed, and back. An instrument without input fades to
  /// silence. Otherwise, no bit changes.
  @_noLocks mutating func mixBypass(_ frames: Int) {
    if !isBypassing { return }
    let target: Float = control(enabledPort, 1) > 0 ? 1 : 0
    let first = wet
    for channel in 0..<outputCount {
      let output = outputs[channel]
      let input = channel < inputCount ? dry + channel * maximumFrames : silence
      wet = first
      for frame in 0..<frames {
        wet = target > wet ? min(target, wet + wetStep) : max(target, wet - wetStep)
        output[frame] = output[frame] * wet + input[frame] * (1 - wet)
      }
    }
  }
}
