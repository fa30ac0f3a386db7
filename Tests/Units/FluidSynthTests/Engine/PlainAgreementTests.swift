import FluidSynthEngine
import Foundation
import RenderCore
import Testing

/// Plays random songs with lanes and with one plain FluidSynth, which gets the same messages in calls of 64 frames.
///
/// `make agreement SONGS=1000` plays more of them. A song that differs is made as short as possible before it is reported.
@Suite("Plain FluidSynth", .timeLimit(.minutes(60))) struct PlainAgreementTests {
  private static let songs = environment("PORTATIVE_SONGS") ?? 20
  private static let firstSeed = environment("PORTATIVE_SONGS_SEED") ?? 1

  private static func environment(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// Songs that once differed.
  private static let songsByName: [(name: String, song: Performance)] = {
    func song(_ write: (inout Performance) -> Void) -> Performance {
      var song = Performance()
      write(&song)
      return song
    }
    return [
      (
        "a program change between legato notes",
        song { p in
          p.add(0, .controlChange, 0, 68, 127)
          p.note(9600, 0, 58, 100, length: 48_000)
          p.add(19_200, .programChange, 0, 45)
          p.note(28_800, 0, 51, 100, length: 9600)
          p.note(64_000, 0, 51, 100, length: 9600)
        }
      ),
      (
        "a key struck twice in legato",
        song { p in
          p.add(0, .controlChange, 0, 68, 127)
          p.note(9600, 0, 60, 100, length: 19_200)
          p.note(19_200, 0, 60, 100, length: 19_200)
        }
      ),
      (
        "a key struck twice in mono",
        song { p in
          p.add(0, .controlChange, 0, 126, 1)
          p.note(9600, 0, 60, 100, length: 19_200)
          p.note(19_200, 0, 60, 100, length: 19_200)
        }
      ),
      (
        "a mono note that returns",
        song { p in
          p.add(0, .controlChange, 0, 126, 1)
          p.note(4800, 0, 60, 100, length: 19_200)
          p.note(9600, 0, 64, 100, length: 4800)
        }
      ),
      (
        "a choke of some voices of a note",
        song { p in
          p.add(0, .programChange, 9, 48)
          p.add(1408, .noteOn, 9, 28, 100)
          p.add(9600, .noteOn, 9, 29, 100)
        }
      ),
      (
        "a drum whose channel is tuned",
        song { p in
          for (number, value) in [(101, 0), (100, 2), (6, 67)] {
            p.add(0, .controlChange, 9, number, value)
          }
          p.note(640, 9, 41, 100, length: 6400)
        }
      ),
      (
        "a channel that has received nothing, after drums",
        song { p in
          p.add(640, .noteOn, 9, 60, 100)
          p.add(32_000, .noteOn, 7, 62, 100)
        }
      ),
    ]
  }()

  @Test(arguments: [Fonts.timGM6mb, Fonts.fluidR3])
  func `notes act on each other as in plain FluidSynth`(path: String) throws {
    let agreement = Agreement(
      font: try SoundFont.open(path), plain: try #require(PlainFont(path)))
    for (name, song) in Self.songsByName {
      let difference = try agreement.difference(song)
      #expect(difference == nil, "\(name)")
    }
  }

  @Test(arguments: [Fonts.timGM6mb, Fonts.fluidR3])
  func `random songs have the sound of plain FluidSynth`(path: String) throws {
    let agreement = Agreement(
      font: try SoundFont.open(path), plain: try #require(PlainFont(path)))
    for seed in Self.firstSeed..<Self.firstSeed + Self.songs {
      let song = RandomSong.of(seed: UInt64(seed))
      guard let difference = try agreement.difference(song) else { continue }
      let text = Agreement.text(try agreement.shortened(song))
      Issue.record("song \(seed): \(difference). It differs with these messages, too:\n\(text)")
    }
  }
}
