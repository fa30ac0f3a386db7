/// The reason why a timeline cannot be created.
public enum TimelineError: Error, Equatable {
  case sampleRateOutOfRange(Int)
  /// An event is later than ``Timeline/maximumFrame``. `track` is an index, from 0.
  case tooLong(track: Int)
  /// The SysEx messages have more than 2³² − 1 bytes in total.
  case tooMuchSysEx
  /// Notes are on more ports than supported; the value is their number.
  case tooManyPorts(Int)
}

extension TimelineError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate):
      "the sample rate must be in 8000…192000 frames per second, but was \(rate)"
    case .tooLong(let track):
      "track \(track + 1) must end by frame \(Timeline.maximumFrame), but is longer; "
        + "shorten the gaps between its events"
    case .tooManyPorts(let count):
      "the notes must be on at most \(SongPorts.maximumCount) ports (FF 21, FF 09), but are on \(count)"
    case .tooMuchSysEx:
      "the file's SysEx messages must be at most 4294967295 bytes together, but are more"
    }
  }
}
