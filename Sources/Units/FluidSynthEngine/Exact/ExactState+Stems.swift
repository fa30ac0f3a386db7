import RenderCore

// The dry sound of notes kept apart, by stems.
extension ExactState {
  /// The stem of the note that is being started; −1 where none are kept.
  var presentStem: Int32 {
    @_noLocks get { stems?.stem(ofNote: statistics.notes - 1) ?? -1 }
  }

  /// Keeps stems from now on. Before the first cycle, and not realtime.
  mutating func keepStems(_ table: StemTable) {
    stems = table
    let count = table.count + 1
    for pool in 0..<poolCount {
      pools[pool].keepStems(count, maximumFrames: maximumFrames)
    }
    // The director plays notes of all channels at once: nobody can tell them apart.
    overflow.pointee.stem = Int32(table.count)
  }

  /// Writes the stems and the rest, and adds the effects to the mix.
  ///
  /// - Parameters:
  ///   - left: Holds the dry mix.
  ///   - right: The same.
  ///   - output: Gets left and right of each stem, `maximumFrames` apart; the rest comes last.
  @_noLocks func mixStems(
    _ sums: Sums, _ cycle: RenderedCycle, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    guard let stems else { return }
    let frames = cycle.frames
    for stem in 0..<stems.count {
      let dry = output + 2 * stem * maximumFrames
      store(sums, stem, frames, in: dry)
    }
    let (wetLeft, wetRight) = (
      output + 2 * stems.count * maximumFrames, output + (2 * stems.count + 1) * maximumFrames
    )
    wetLeft.update(repeating: 0, count: frames)
    wetRight.update(repeating: 0, count: frames)
    wet?.pointee.process(sums, cycle, left: wetLeft, right: wetRight)
    for i in 0..<frames {
      left[i] += wetLeft[i]
      right[i] += wetRight[i]
    }
    guard sums.isUsed(stem: stems.count) else { return }
    let rest = sums.channel(ofStem: stems.count)
    add(sums.channel(rest), to: wetLeft, frames)
    add(sums.channel(rest + 1), to: wetRight, frames)
  }

  @_noLocks private func store(
    _ sums: Sums, _ stem: Int, _ frames: Int, in output: UnsafeMutablePointer<Float>
  ) {
    for side in 0..<2 {
      let target = output + side * maximumFrames
      if sums.isUsed(stem: stem) {
        FixedPoint.store(
          sums.channel(sums.channel(ofStem: stem) + side), in: target, count: frames)
      } else {
        target.update(repeating: 0, count: frames)
      }
    }
  }

  @_noLocks private func add(
    _ sums: UnsafePointer<Int64>, to output: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    for i in 0..<frames { output[i] += Float(Double(sums[i]) * (1 / FixedPoint.scale)) }
  }
}
