import FluidSynthEngine

/// Returns the beginnings of the songs for which the laws are checked.
private func passages(_ bench: Bench) throws -> [(name: String, passage: Passage)] {
  let names = ["keep_on_rolling", "tttheme2", "flying_scotsman", "the_hobo_redfarn"]
  return try bench.songs(named: bench.isQuick ? ["tttheme2"] : names).map {
    ($0.name, try Passage($0, seconds: bench.isQuick ? 5 : 20))
  }
}

private func forEachSong(
  _ bench: Bench, _ body: @Sendable (Bench.SoundFont, String, Passage) throws -> [Trial]
) throws -> [Trial] {
  let songs = try passages(bench)
  let fonts = bench.fonts
  return try inParallel(fonts.count * songs.count) { index in
    let song = songs[index / fonts.count]
    return try body(fonts[index % fonts.count], song.name, song.passage)
  }.flatMap { $0 }
}

/// Checks that a song shifted by some frames renders to the same bits, shifted by as many frames.
func onsetOfSongs(_ bench: Bench) throws -> [Trial] {
  let shifts = bench.isQuick ? [17] : [1, 17, 63, 64, 1000, 4801]
  return try forEachSong(bench) { font, name, passage in
    var first = try PassagePlayer(passage, font: font)
    let reference = try first.fingerprint()
    return try shifts.map { shift in
      var player = try PassagePlayer(passage.shifted(by: shift), font: font)
      let found = try player.fingerprint(from: shift)
      return Trial(
        font: font.name, what: "\(name) shifted by \(shift)",
        isIdentical: found.sums == reference.sums, isSilent: reference.isSilent)
    }
  }
}

/// Checks that the division into cycles changes no bit, including effects.
func cycleLaw(_ bench: Bench) throws -> [Trial] {
  let lengths = bench.isQuick ? [1, 100, 0] : [1, 16, 64, 100, 480, 1024, 0]
  return try forEachSong(bench) { font, name, passage in
    var first = try PassagePlayer(passage, font: font)
    let reference = try first.fingerprint()
    return try lengths.map { length in
      var random = Seeded(11)
      var player = try PassagePlayer(passage, font: font)
      let found = try player.fingerprint {
        length > 0 ? length : Int.random(in: 1..<3000, using: &random)
      }
      return Trial(
        font: font.name, what: "\(name) in cycles of \(length > 0 ? "\(length)" : "random length")",
        isIdentical: found == reference, isSilent: reference.isSilent)
    }
  }
}

/// Checks that the sums of the parts add up to the sums of the whole song.
func superposition(_ bench: Bench) throws -> [Trial] {
  try forEachSong(bench) { font, name, passage in
    try Partition.allCases.compactMap { partition in
      let parts = passage.divided(by: partition)
      // If all notes are in one part, there is nothing to compare.
      guard parts.count > 1 else { return nil }
      let difference = try firstDifference(passage, parts, font, rate: 48_000)
      var what = "\(name) divided by \(partition.rawValue) into \(parts.count)"
      if let difference { what += ": differs from frame \(difference) on" }
      return Trial(font: font.name, what: what, isIdentical: difference == nil)
    }
  }
}

/// Plays the whole and its parts in step.
///
/// - Returns: The first frame at which they differ within the first cycle that differs; `nil`: none.
func firstDifference(
  _ whole: Passage, _ parts: [Passage], _ font: Bench.SoundFont, rate: Int
) throws -> Int? {
  let length = 4096
  // Rendering in step needs the memory for the sums of one cycle, not of the whole passage.
  var player = try PassagePlayer(whole, font: font, rate: rate)
  var rest = [Int64](repeating: 0, count: 4 * length)
  let players = try parts.map { try Shared(PassagePlayer($0, font: font, rate: rate)) }
  var start = 0
  while player.framesLeft > 0 {
    let count = try player.render(length)
    player.instrument.withSums(frames: count) { sums in
      for channel in 0..<4 {
        for frame in 0..<count { rest[channel * length + frame] = sums[channel][frame] }
      }
    }
    for part in players {
      _ = try part.player.render(length)
      part.player.instrument.withSums(frames: count) { sums in
        for channel in 0..<4 {
          for frame in 0..<count { rest[channel * length + frame] &-= sums[channel][frame] }
        }
      }
    }
    for frame in 0..<count where (0..<4).contains(where: { rest[$0 * length + frame] != 0 }) {
      return start + frame
    }
    start += count
  }
  return nil
}

/// A reference to a player, since an array cannot hold a noncopyable type.
private final class Shared {
  var player: PassagePlayer
  init(_ player: consuming PassagePlayer) { self.player = player }
}
