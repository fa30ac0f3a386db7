import FluidSynthEngine
import MIDIFile

extension SongLabels {
  /// The labels as an archive of NumPy arrays. A missing value is −1, except for `audible` and `silence`: there it is
  /// the least integer, because frames may be negative.
  var arrays: [UInt8] {
    var archive = ZipArchive()
    archive.add("sample_rate.npy", NumPyArray(sampleRate).bytes)
    archive.add("start.npy", NumPyArray(start).bytes)
    archive.add("frames.npy", NumPyArray(frames).bytes)
    archive.add("notes.npy", noteArray.bytes)
    var tempos = NumPyArray(fields: [("frame", "<i8"), ("microseconds_per_quarter", "<i4")])
    for tempo in self.tempos {
      tempos.add(tempo.frame)
      tempos.add(Int32(tempo.microsecondsPerQuarter))
      tempos.endRow()
    }
    archive.add("tempos.npy", tempos.bytes)
    archive.add("beats.npy", beatArray.bytes)
    archive.add("messages.npy", messageArray.bytes)
    archive.add("endings.npy", NumPyArray(LoggedNote.Ending.allCases.map(\.name)).bytes)
    if hasFiles {
      archive.add("files.npy", NumPyArray(notes.map { $0.file ?? "" }).bytes)
    }
    return archive.finish()
  }

  private var noteArray: NumPyArray {
    var array = NumPyArray(fields: [
      ("note", "<i4"), ("track", "<i4"), ("bank", "<i4"), ("program", "<i4"), ("onset", "<i8"),
      ("key_release", "<i8"), ("sound_release", "<i8"), ("audible", "<i8"), ("silence", "<i8"),
      ("ended_by", "<i4"), ("channel", "|u1"), ("key", "|u1"), ("velocity", "|u1"),
      ("ending", "|u1"), ("port", "|u1"), ("return_of", "<i4"),
    ])
    for note in notes {
      for value in [note.note, note.track, note.bank, note.program] { array.add(Int32(value)) }
      for value in [
        note.onset, note.keyRelease, note.soundRelease, note.audible ?? .min, note.silence ?? .min,
      ] { array.add(Int64(value)) }
      array.add(Int32(note.endedBy ?? -1))
      for value in [
        note.channel, note.key, note.velocity, note.ending.rawValue, UInt8(note.port),
      ] { array.add(value) }
      array.add(Int32(note.returnOf ?? -1))
      array.endRow()
    }
    return array
  }

  private var beatArray: NumPyArray {
    var array = NumPyArray(fields: [
      ("frame", "<i8"), ("bar", "<i4"), ("beat", "<i4"), ("numerator", "<i4"),
      ("denominator", "<i4"),
    ])
    for beat in beats {
      array.add(beat.frame)
      for value in [beat.bar, beat.beat, beat.numerator, beat.denominator] {
        array.add(Int32(value))
      }
      array.endRow()
    }
    return array
  }

  private var messageArray: NumPyArray {
    var array = NumPyArray(fields: [
      ("frame", "<i8"), ("track", "<i4"), ("status", "|u1"), ("data1", "|u1"), ("data2", "|u1"),
      ("port", "|u1"),
    ])
    for message in messages {
      array.add(Int64(message.frame))
      array.add(Int32(message.track))
      for value in [message.status, message.data1, message.data2, UInt8(message.port)] {
        array.add(value)
      }
      array.endRow()
    }
    return array
  }
}
