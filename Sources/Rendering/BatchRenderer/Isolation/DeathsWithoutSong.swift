/// Counts the deaths of rendering processes in a row between which no song was in progress or has ended.
///
/// A run of which songs still end goes on, however often its processes die.
struct DeathsWithoutSong {
  private(set) var count = 0
  private var endedSongs = 0

  /// - Parameters:
  ///   - songsInProgress: the songs in progress when the process died
  ///   - endedSongs: the songs of the run that have ended
  mutating func add(songsInProgress: Int, endedSongs: Int) {
    let isFutile = songsInProgress == 0 && endedSongs == self.endedSongs
    count = isFutile ? count + 1 : 0
    self.endedSongs = endedSongs
  }
}
