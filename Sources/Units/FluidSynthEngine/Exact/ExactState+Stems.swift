import RenderCore

// The dry sound of notes, separated into stems.
extension ExactState {
  /// The stem of a note that is being started on a channel; −1 without stems.
  @_noLocks func stem(ofNote note: Int, _ channel: UInt8) -> Int32 {
    if separatesChannels { return Int32(channel) }
    return stems?.stem(ofNote: note) ?? -1
  }

  /// Enables stems. Must be called before the first cycle. Realtime: no.
  mutating func keepStems(_ table: StemTable, in memory: RenderMemory) {
    stems = table
    let count = table.count + 1
    let maximumFrames = maximumFrames
    forEachGroup { $0.keepStems(count, maximumFrames: maximumFrames, in: memory) }
    // The control synth plays notes of all channels at once, which cannot be separated.
    overflow.pointee.stem = Int32(table.count)
  }

  /// Writes the stems and the rest, and adds the effects to the mix.
  ///
  /// - Parameters:
  ///   - left: Contains the dry mix.
  ///   - right: The same for the right channel.
  ///   - output: Receives left and right of each stem, `maximumFrames` apart; the rest comes last.
  @_noLocks func mixStems(
    _ sums: Sums, _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    guard let stems else { return }
    let frames = cycle.frames
    for stem in 0..<stems.count {
      for side in 0..<2 {
        sums.store(
          stem: stem, side: side, in: output + (2 * stem + side) * maximumFrames, frames: frames)
      }
    }
    let (wetLeft, wetRight) = (
      output + 2 * stems.count * maximumFrames, output + (2 * stems.count + 1) * maximumFrames
    )
    wetLeft.update(repeating: 0, count: frames)
    wetRight.update(repeating: 0, count: frames)
    effectsAdapter?.pointee.process(sums, cycle, left: wetLeft, right: wetRight)
    for i in 0..<frames {
      left[i] += wetLeft[i]
      right[i] += wetRight[i]
    }
    guard sums.isUsed(stem: stems.count) else { return }
    let rest = sums.channel(ofStem: stems.count)
    add(sums.channel(rest), to: wetLeft, frames)
    add(sums.channel(rest + 1), to: wetRight, frames)
  }

  @_noLocks private func add(
    _ sums: UnsafePointer<Int64>, to output: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    for i in 0..<frames { output[i] += Float(Double(sums[i]) * (1 / FixedPoint.scale)) }
  }
}
