import RenderCore

/// The delay time that the parameters and the tempo determine.
///
/// Realtime: yes.
enum DelayTime {
  static var longestSeconds: Double { @_noLocks get { 10 } }

  /// Returns the delay time in frames.
  ///
  /// The time is rounded to whole frames unless it is changing, because rounding would make a ramp uneven.
  @_noLocks static func frames(
    _ values: ParameterValues, _ tempo: TempoFollower, sampleRate: Double
  ) -> Double {
    let isSynced = values[.sync] > 0.5 && tempo.isKnown
    let parameter = isSynced ? DelayParameter.beats : .milliseconds
    let value = values[parameter]
    var seconds = isSynced ? Double(value) * 60 / tempo.value : Double(value) / 1000
    while seconds > longestSeconds { seconds /= 2 }
    let frames = max(seconds, 0.001) * sampleRate
    let isMoving =
      (isSynced && tempo.isChanging) || !(values.value(parameter.index, after: 1) == value)
    return isMoving ? frames : Double(Int(frames + 0.5))
  }
}
