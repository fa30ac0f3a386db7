import BatchRenderer
public import CPortativeRender
import LocalSystem
import MIDIFile

/// A `portative_song`.
final class SongHandle: Sendable {
  let song: StandardMIDIFile
  /// Its name in messages.
  let name: String
  /// Whether it has tempos and beats.
  let hasBeats: Bool
  /// For each of its notes, in the order of the note-ons, its index in the list of which the song was made; `nil` for a file.
  let notes: [Int]?

  init(_ song: StandardMIDIFile, name: String) {
    (self.song, self.name, hasBeats, notes) = (song, name, true, nil)
  }

  init(_ song: NoteList.Song) {
    (self.song, notes) = song
    name = "notes"
    hasBeats = self.song.score != nil
  }
}

@_cdecl("portative_song_read")
public func portative_song_read(
  _ path: UnsafePointer<CChar>!, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      let path = String(cString: path)
      return OpaquePointer(retaining: SongHandle(try SongFile.decode(path), name: path))
    }
  }
}

@_cdecl("portative_song_decode")
public func portative_song_decode(
  _ bytes: UnsafeRawPointer!, _ count: Int, _ name: UnsafePointer<CChar>!, _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      let name = String(cString: name)
      let bytes = Array(UnsafeRawBufferPointer(start: bytes, count: count))
      return OpaquePointer(retaining: SongHandle(try SongFile.decode(bytes, name), name: name))
    }
  }
}

@_cdecl("portative_song_create")
public func portative_song_create(
  _ notes: UnsafePointer<portative_song_note>!, _ noteCount: Int,
  _ messages: UnsafePointer<portative_song_message>!, _ messageCount: Int, _ score: OpaquePointer!,
  _ error: OpaquePointer!
) -> OpaquePointer! {
  attempt(error) {
    try ForkGate.pass {
      let notes = UnsafeBufferPointer(start: notes, count: notes == nil ? 0 : noteCount)
      let messages = UnsafeBufferPointer(start: messages, count: messages == nil ? 0 : messageCount)
      let song = try NoteList(
        notes: notes.map {
          .init(
            start: $0.start, end: $0.end, track: $0.track, port: $0.port, channel: $0.channel,
            key: $0.key,
            velocity: $0.velocity)
        },
        messages: messages.map {
          .init(
            time: $0.time, track: $0.track, port: $0.port, status: $0.status, data1: $0.data1,
            data2: $0.data2)
        }
      ).song(score: score?.object(SongHandle.self).song)
      return OpaquePointer(retaining: SongHandle(song))
    }
  }
}

@_cdecl("portative_song_free")
public func portative_song_free(_ song: OpaquePointer!) { release(song) }
