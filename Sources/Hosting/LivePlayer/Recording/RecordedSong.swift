package import LiveAudio
import LiveMIDI
package import MIDIFile
import Synchronization

/// Passes the output of a song and what keyboards play to it from the render thread to a ``Recorder``, while the song's
/// transport records. Hosts of the song may use it one after another.
///
/// Realtime: no, except its ``SongTap``. Threads: any.
///
/// `@unchecked Sendable`: the tap belongs to the render thread of the present host.
package final class RecordedSong: @unchecked Sendable {
  /// The output. Each recording is a stream that begins at position 0.
  package let ring = MixRing()
  let tap: UnsafeMutablePointer<SongTap>
  private let keys = TakeFIFO(capacity: 16_384)
  private let map: Mutex<BeatMap>
  /// The frames per second.
  package let sampleRate: Int

  /// - Parameter map: That of the song, at the rate of the device.
  package init(_ map: BeatMap) {
    self.map = Mutex(map)
    sampleRate = map.sampleRate
    tap = .allocate(capacity: 1)
    tap.initialize(to: SongTap(ring.tap, keys))
  }

  deinit { tap.deallocate() }

  /// Places the music of recordings that begin from now on in another tempo.
  ///
  /// - Parameter map: At the same rate.
  func change(to map: BeatMap) { self.map.withLock { $0 = map } }

  /// The music of keyboards in the next recording.
  package func music() -> any PlayedMusic { SongMusic(self) }

  /// The number of lost events of keyboards.
  package var lost: Int { keys.lost }

  /// Adds what keyboards have played since the last call.
  package func drain(into performance: inout Performance) { performance.drain(keys.events.reader) }

  private final class SongMusic: PlayedMusic {
    private let song: RecordedSong
    private let map: BeatMap
    private let lostBefore: Int
    private let performance = Mutex(Performance())

    init(_ song: RecordedSong) {
      self.song = song
      map = song.map.withLock { $0 }
      lostBefore = song.lost
    }

    var eventCount: Int {
      performance.withLock { performance in
        song.drain(into: &performance)
        return performance.eventCount
      }
    }

    func music(from begin: Int64) throws -> RecordedMusic? {
      let performance = performance.withLock { $0 }
      if performance.isEmpty { return nil }
      return RecordedMusic(
        file: try performance.file(along: map), notes: performance.noteCount,
        hasLosses: song.lost != lostBefore)
    }
  }
}
