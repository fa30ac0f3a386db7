import RenderCore

/// Collects the frames of cycles of any length to blocks of one length, for plugins that must have it. The output of a block is
/// played while the next one is collected, so that it is late by the length of a block.
///
/// Realtime: yes, except for creation.
struct BlockAdapter: BitwiseCopyable {
  /// The frames of the current block that have been collected, and as many of the last block that have been played.
  private(set) var filled = 0
  private let inputs, outputs: Int
  /// The channels of the input, one after the other.
  private let collected: UnsafeMutablePointer<Float>
  private let input: UnsafePointer<UnsafePointer<Float>>
  private let output: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The frames of a block: a power of two, and always the same, so that the sound does not depend on the lengths of cycles.
  static var length: Int { @_noLocks get { 64 } }

  init(_ format: Format, in memory: RenderMemory) {
    (inputs, outputs) = (format.inputChannels, format.outputChannels)
    let collected = memory.make(max(1, inputs) * Self.length, of: Float(0))
    self.collected = collected
    input = UnsafePointer(
      memory.makeEach(max(1, inputs)) { UnsafePointer(collected + $0 * Self.length) })
    output = UnsafePointer(
      memory.makeEach(max(1, outputs)) { _ in memory.make(Self.length, of: Float(0)) })
  }

  /// The frames that the current block lacks.
  var room: Int { @_noLocks get { Self.length - filled } }

  /// Collects the input of a part of a cycle, and plays as much of the last block.
  ///
  /// - Parameter frames: At most ``room``.
  @_noLocks mutating func exchange(_ cycle: RenderCycle, from begin: Int, frames: Int) {
    let size = frames * MemoryLayout<Float>.stride
    // The input first: the output of a cycle may have its memory.
    for channel in 0..<inputs {
      UnsafeMutableRawPointer(collected + channel * Self.length + filled)
        .copyMemory(from: cycle.input[channel] + begin, byteCount: size)
    }
    for channel in 0..<outputs {
      UnsafeMutableRawPointer(cycle.output[channel] + begin)
        .copyMemory(from: output[channel] + filled, byteCount: size)
    }
    filled += frames
  }

  /// Begins the next block.
  ///
  /// - Returns: The cycle with the audio of the block that is complete.
  @_noLocks mutating func next(_ cycle: RenderCycle) -> RenderCycle {
    filled = 0
    var block = cycle
    block.input = AudioInput(input, count: inputs)
    block.output = output
    return block
  }
}
