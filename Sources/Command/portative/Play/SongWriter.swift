import AudioFile
import BatchRenderer
import FluidSynthEngine
import Glibc
import LiveAudio
import LocalSystem
import MIDIFile
import OfflineRenderer
import Synchronization

/// Renders the song that plays to a file, with the changes that are set, while it goes on.
final class SongWriter: Sendable {
  private let options: RenderOptions
  private let song: StandardMIDIFile
  private let soundFont: SoundFont
  private let state = Mutex(State())

  private struct State {
    var thread: SystemThread?
    var isWriting = false
    var sentences: [String] = []
  }

  /// - Parameter options: With one song.
  init(_ options: RenderOptions, _ song: StandardMIDIFile, _ soundFont: SoundFont) {
    self.options = options
    self.song = song
    self.soundFont = soundFont
  }

  /// Starts to write a new file in the current folder, named after the song; one at a time.
  ///
  /// - Parameter changes: What is played differently from the file.
  func write(_ changes: SongChanges) {
    var options = options
    options.output = path
    options.song.changes = changes
    state.withLock { state in
      if state.isWriting {
        state.sentences.append("a file is being written: wait until it is done")
        return
      }
      do {
        state.thread?.join()
        state.thread = try SystemThread(name: "portative-write") { [self, options] in
          let sentence = result(options)
          self.state.withLock { state in
            state.isWriting = false
            state.sentences.append(sentence)
          }
        }
        state.isWriting = true
        state.sentences.append("writing \(options.output ?? "")")
      } catch {
        state.sentences.append("nothing is written: \(error)")
      }
    }
  }

  /// Removes and returns the sentences for the user since the last call.
  func takeSentences() -> [String] {
    state.withLock { state in
      defer { state.sentences = [] }
      return state.sentences
    }
  }

  /// Waits until the file is complete. A signal ends it.
  func finish() {
    let thread = state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  /// The first name that no file has: `song mix.wav`, `song mix-2.wav`.
  private var path: String {
    let stem = Recorder.stem(of: options.inputs[0])
    let ending = options.song.container?.rawValue ?? (options.song.isRaw ? "raw" : "wav")
    var (path, number) = ("\(stem) mix.\(ending)", 2)
    while access(path.platformString, F_OK) == 0 {
      path = "\(stem) mix-\(number).\(ending)"
      number += 1
    }
    return path
  }

  private func result(_ options: RenderOptions) -> String {
    let input = options.inputs[0]
    do {
      let began = ContinuousClock.now
      let work = try RenderPlan(options).jobs[0].work.get()
      let renderer = SongRenderer(soundFont: soundFont, settings: options.song.settings)
      let report: SongReport
      do throws(RenderError) {
        report = try renderer.render(
          song, to: SongFile.open(work, title: song.title, measuresLoudness: true),
          isCancelled: { Interruption.signal != nil })
      } catch {
        throw Failure(error, input: input)
      }
      let entry = RenderReport.Song(
        input: input, output: work.outputName, report,
        warnings: Warnings.of(report, options.song, work.format))
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      return RenderedSong(entry: entry, elapsed: elapsed).summary()
    } catch {
      return "nothing was written: \(Failure(error).message)"
    }
  }
}
