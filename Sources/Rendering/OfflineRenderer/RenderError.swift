public import AudioFile
public import FluidSynthEngine
public import LocalSystem
public import MIDIFile

/// The reason why a song was not rendered.
public enum RenderError: Error, CustomStringConvertible {
  case instrument(InstrumentError)
  /// The playing node has ended or has failed.
  case player(String)
  case file(AudioFileError)
  case thread(SystemError)
  case timeline(TimelineError)
  /// The range given by `--from` and `--to` is empty or outside the song.
  case emptyRange(start: Double, end: Double, length: Double)
  /// The range is longer than ``RenderSettings/maximumLength``; `pause` is its longest time without events.
  case tooLong(seconds: Double, limit: Double, pause: Range<Double>)
  /// The song cannot be played with ``RenderSettings/changes``: the reason, of which the song is the subject.
  case change(String)
  /// A bar of the range is after the song, which has so many.
  case bar(Int, count: Int)
  case cancelled
  /// The song needs more stems than supported; the value is the number needed.
  case tooManyStems(Int, StemGrouping)
  /// The song has more notes than there may be files of notes; the value is the number of notes.
  case tooManyNotes(Int)
  /// The repetitions of the loop have too many events; the value is their number.
  case tooManyLoops(Int)
  /// The caller did not accept the report.
  case refused(SongReport)

  public var description: String {
    switch self {
    case .instrument(let error): error.description
    case .player(let reason): reason
    case .file(let error): error.description
    case .thread(let error): "cannot start a thread: \(error); --jobs 1 uses the fewest threads"
    case .timeline(let error): error.description
    case .emptyRange(let start, let end, let length):
      "nothing to render from \(start) s to \(end) s: the song is \(length) s long"
    case .tooLong(let seconds, let limit, _):
      "the song is \(seconds) s long, and at most \(limit) s are allowed"
    case .tooManyStems(let count, let grouping):
      "\(count) \(grouping.rawValue)s have notes, but at most \(ExactInstrument.maximumStems) stems are "
        + "supported: group them by \(grouping == .track ? "channel" : "track")"
    case .tooManyNotes(let count):
      "it has \(count) notes, but at most \(SeparateNotes.maximumCount) notes can have a file each: "
        + "render parts of it with --to, or group its notes by channel"
    case .tooManyLoops(let count):
      "its loop would be played \(count) times, which needs too much memory: use a lower --loops or --fade"
    case .change(let reason): reason
    case .bar(let bar, let count): "there is no bar \(bar): it has \(count)"
    case .cancelled: "interrupted"
    case .refused: "the result was refused"
    }
  }
}
