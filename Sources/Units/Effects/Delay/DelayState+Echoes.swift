import RenderCore

extension DelayState {
  @_noLocks mutating func echo(
    _ cycle: RenderCycle, _ begin: Int, _ end: Int, _ settings: EchoSettings
  ) {
    let first = cycle.input[0]
    let second = cycle.input[inputs - 1]
    let leftOutput = cycle.output[0]
    let rightOutput = cycle.output[channels - 1]
    for frame in begin..<end {
      let input = (left: first[frame], right: second[frame])
      let echo = nextEcho(input, settings)
      // Left is written last because in mono both outputs are the same buffer.
      rightOutput[frame] = settings.blend(input.right, near: echo.right, far: echo.left)
      leftOutput[frame] = settings.blend(input.left, near: echo.left, far: echo.right)
    }
  }

  /// Reads the echo of this frame and writes the input and the feedback to the delay lines.
  @_noLocks private mutating func nextEcho(
    _ input: (left: Float, right: Float), _ settings: EchoSettings
  ) -> (left: Float, right: Float) {
    let echo = read()
    let left = settings.tone.process(echo.left, &leftTone) * settings.feedback
    let right = settings.tone.process(echo.right, &rightTone) * settings.feedback
    let cross = Float(crossfeed.next())
    let direct = 1 - cross
    let dry = (left: Sample.sanitize(input.left), right: Sample.sanitize(input.right))
    let mono = (dry.left + dry.right) / 2
    self.left.write(dry.left * direct + mono * cross + (left * direct + right * cross))
    self.right.write(dry.right * direct + (right * direct + left * cross))
    return echo
  }

  @_noLocks private mutating func read() -> (left: Float, right: Float) {
    if head.isAtTarget {
      let delay = Int(head.delay)
      return (left.read(delay), right.read(delay))
    }
    let taps = CubicTaps(delay: head.delay)
    head.move()
    return (left.read(taps), right.read(taps))
  }
}
