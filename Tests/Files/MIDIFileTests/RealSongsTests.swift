import MIDIFile
import Testing

private let songs = midiFiles(in: "/usr/share/games/openttd/baseset/openmsx")

/// Tests with the songs of OpenTTD's music set, by several authors with several programs.
@Suite(.timeLimit(.minutes(5)), .enabled(if: !songs.isEmpty, "needs the package openttd-openmsx"))
struct RealSongsTests {
  /// The numbers of notes and events, and the end frame at 48 kHz, computed by another reader with exact
  /// fractions.
  private static let known: [String: (notes: Int, events: Int, endFrame: Int64)] = [
    "5432gone_redfarn.mid": (1274, 2584, 2880094),
    "be_sharp_bw_redfarn.mid": (3701, 7432, 6689251),
    "boogi_marabi_redfarn.mid": (3192, 6414, 4800063),
    "busy_schedule.mid": (3137, 6701, 6319027),
    "careless_perc_redfarn.mid": (1772, 3564, 7560176),
    "chemistry_lab.mid": (1310, 3305, 6207723),
    "chuggachugga.mid": (1552, 3162, 4025669),
    "city_blues_redfarn.mid": (1844, 3718, 3648094),
    "coconut_run2.mid": (843, 1853, 3263997),
    "flying_scotsman.mid": (2355, 4730, 4316250),
    "harp_harmony.mid": (2025, 4501, 6380301),
    "keep_on_rolling.mid": (6094, 13483, 9415383),
    "linns_basket.mid": (3999, 9809, 11526000),
    "midnight_snow_run.mid": (2004, 4977, 6678720),
    "mighty_giant_run.mid": (2296, 4704, 5472000),
    "modern_motion.mid": (3432, 7314, 7392250),
    "moo_redfarn.mid": (2621, 5266, 7008094),
    "mosey_along_redfarn.mid": (2447, 4924, 3620648),
    "no_work_song_redfarn.mid": (3566, 7466, 6276573),
    "relax_song.mid": (3462, 9443, 9216000),
    "run_for_your_life.mid": (4667, 9389, 11791053),
    "say_what_redfarn.mid": (2261, 4560, 4189165),
    "slow_neasy_redfarn.mid": (1787, 3610, 3584080),
    "the_fast_route.mid": (3671, 7365, 7891406),
    "the_hobo_redfarn.mid": (2901, 5832, 6582940),
    "train_filled_with_cash.mid": (941, 1900, 3354663),
    "ttsong_iii_imuh3.mid": (1897, 3806, 3119750),
    "ttsong_iv_imuh3.mid": (2477, 4972, 5489625),
    "tttheme2.mid": (4056, 11340, 4956333),
    "ultimate_run.mid": (1120, 2317, 3532800),
    "wood_whistles.mid": (1660, 3397, 5856000),
  ]

  @Test func `need no repair, and last as long as they should`() throws {
    #expect(songs.count >= 31)
    for (name, bytes) in songs {
      let file = try StandardMIDIFile(decoding: bytes)
      #expect(file.repairs.isEmpty, "\(name)")
      let timeline = try file.timeline(sampleRate: 48_000)
      #expect(timeline.noteCount > 0)
      guard let known = Self.known[name] else { continue }
      #expect(timeline.noteCount == known.notes, "\(name)")
      #expect(timeline.events.count == known.events, "\(name)")
      #expect(timeline.endFrame == known.endFrame, "\(name)")
    }
  }

  @Test func `are equal after being written and read`() throws {
    for (name, bytes) in songs {
      let file = try StandardMIDIFile(decoding: bytes)
      #expect(try StandardMIDIFile(decoding: file.encoded()) == file, "\(name)")
    }
  }
}
