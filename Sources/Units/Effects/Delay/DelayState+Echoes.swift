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
      // The left one last: in mono, both are one output.
      rightOutput[frame] = settings.blend(input.right, near: echo.right, far: echo.left)
      leftOutput[frame] = settings.blend(input.left, near: echo.left, far: echo.right)
    }
  }

  /// Reads what was, and writes what is.
  @_noLocks private mutating func nextEcho(
    _ input: (left: Float, right: Float), _ settings: EchoSettings
  ) -> (left: Float, right: Float) {
    let echo = read()
    let left = settings.tone.process(echo.left, &leftTone) * settings.feedback
    let right = settings.tone.process(echo.right, &rightTone) * settings.feedback
    let over = Float(crossing.next())
    let stay = 1 - over
    let tame = (left: Sample.tame(input.left), right: Sample.tame(input.right))
    let middle = (tame.left + tame.right) / 2
    self.left.write(tame.left * stay + middle * over + (left * stay + right * over))
    self.right.write(tame.right * stay + (right * stay + left * over))
    return echo
  }

  @_noLocks private mutating func read() -> (left: Float, right: Float) {
    if head.isStill {
      let delay = Int(head.delay)
      return (left.read(delay), right.read(delay))
    }
    let taps = CubicTaps(delay: head.delay)
    head.move()
    return (left.read(taps), right.read(taps))
  }
}
