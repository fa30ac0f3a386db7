import Testing

@testable import BatchRenderer

@Test func `deaths count in a row only while no song is in progress and none ends`() {
  var deaths = DeathsWithoutSong()
  deaths.add(songsInProgress: 0, endedSongs: 0)
  deaths.add(songsInProgress: 0, endedSongs: 0)
  #expect(deaths.count == 2)
  // A song has ended between.
  deaths.add(songsInProgress: 0, endedSongs: 5)
  #expect(deaths.count == 0)
  deaths.add(songsInProgress: 0, endedSongs: 5)
  deaths.add(songsInProgress: 0, endedSongs: 5)
  deaths.add(songsInProgress: 0, endedSongs: 5)
  #expect(deaths.count == 3)
  // The fault may be in the song.
  deaths.add(songsInProgress: 2, endedSongs: 5)
  #expect(deaths.count == 0)
}
