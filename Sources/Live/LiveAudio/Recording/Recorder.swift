import AudioFile
import Dispatch
import Glibc
import LocalSystem
import Synchronization

/// Records what is heard, and what keyboards play beside it, to pairs of files.
///
/// Each recording has a pair of its own: `live.wav` and `live.mid`, then `live-2.wav` and `live-2.mid`. No existing file
/// is replaced. The audio has the bits of the stream if the format can have them, and silence for frames that are
/// missing. An error ends a recording, not the recorder, and leaves what was written.
///
/// Realtime: no, except the taps of its rings. Threads: any.
package final class Recorder: Sendable {
  private let path: String
  /// Whether the first pair of files has that name.
  private let isNameFixed: Bool
  private let sampleRate: Int
  private let capacity: Int
  private let midiInterval: Double
  private let report: @Sendable (RecorderEvent) -> Void
  private let recordings = DispatchGroup()
  private let state = Mutex(State())

  private struct State {
    var current: Recording?
    /// The number of the latest pair of files.
    var number = 0
    /// The recorders of ports that have a device of their own.
    var ports: [String: Recorder] = [:]
  }

  /// - Parameters:
  ///   - path: The path of the first audio file. Its extension determines the format.
  ///   - isNameFixed: Whether the first pair of files must have that name. Otherwise it has the first one that is free.
  ///   - sampleRate: The frames per second that the device will probably have.
  ///   - capacity: The frames that wait for the disk; a power of two.
  ///   - midiInterval: The seconds after which the MIDI file is written again while keyboards play.
  ///   - report: Called on any thread.
  /// - Throws: ``AudioFileError`` or `Failure` if a file exists that must not, or none can be written.
  package init(
    to path: String, isNameFixed: Bool = true, sampleRate: Int, capacity: Int = 1 << 20,
    midiInterval: Double = 10, report: @escaping @Sendable (RecorderEvent) -> Void
  ) throws {
    (self.path, self.isNameFixed) = (path, isNameFixed)
    (self.sampleRate, self.capacity) = (sampleRate, capacity)
    (self.midiInterval, self.report) = (midiInterval, report)
    if isNameFixed {
      for path in [path, Self.midiPath(path)]
      where try OutputFile.wouldReplace(path, rules: OutputRules()) {
        throw Failure(.outputNotWritten, "'\(path)' exists: choose another name, or move the file")
      }
    }
    // A trial, so that a missing folder is an error now.
    let trial = isNameFixed ? path : Self.freePath(path, from: 1).path
    try RecordedFiles.writer(to: trial, sampleRate: sampleRate).discard()
  }

  /// Returns the recorder of a port that has a device of its own: of `live.wav`, it is that of `live-Piano.wav`.
  ///
  /// - Throws: As ``init(to:isNameFixed:sampleRate:capacity:midiInterval:report:)``, when it is made.
  package func recorder(of port: String, isNameFixed: Bool) throws -> Recorder {
    if let recorder = state.withLock({ $0.ports[port] }) { return recorder }
    let (stem, ending) = Self.parts(path)
    let recorder = try Recorder(
      to: "\(stem)-\(port.replacing("/", with: "-"))\(ending)", isNameFixed: isNameFixed,
      sampleRate: sampleRate, capacity: capacity, midiInterval: midiInterval, report: report)
    state.withLock { $0.ports[port] = recorder }
    return recorder
  }

  /// Begins a recording, and ends the one before. Does not wait for a disk.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - music: What keyboards play; `nil`: it is not recorded.
  ///   - ring: Receives the cycles; `nil`: a new one. It must have no other recording.
  ///   - isLate: Whether the stream plays already. What was played before is not recorded, also not as silence.
  /// - Returns: `nil` if nothing is recorded, which is reported.
  @discardableResult
  package func begin(
    sampleRate: Int, _ music: (any PlayedMusic)?, in ring: MixRing? = nil, isLate: Bool = false
  ) -> (recording: Recording, ring: MixRing)? {
    let ring = ring ?? MixRing(capacity: capacity)
    let recording = Recording(
      of: ring, sampleRate: sampleRate, isLate: isLate, music, midiInterval: midiInterval, report)
    recordings.enter()
    do {
      try recording.start(to: nextPath) { [recordings] in recordings.leave() }
    } catch {
      recordings.leave()
      report(.failed(sentence: "nothing is recorded: \(error)", Failure(error)))
      return nil
    }
    let last = state.withLock { state in
      defer { state.current = recording }
      return state.current
    }
    last?.end()
    return (recording, ring)
  }

  /// How far the recording is that has begun last, also of ports that have a device of their own; `nil` without one.
  package var progress: RecordingProgress? {
    let (current, ports) = state.withLock { ($0.current, Array($0.ports.values)) }
    let all = [current?.progress].compactMap { $0 } + ports.compactMap(\.progress)
    return all.max { $0.seconds < $1.seconds }
  }

  /// Ends the recording, because the stream has ended. Does not wait for a disk.
  package func end() { state.withLock { $0.current.take() }?.end() }

  /// Ends the recording, and waits until all files are complete, for at most 10 s.
  package func stop() {
    end()
    for port in state.withLock({ $0.ports.values }) { port.stop() }
    if recordings.wait(timeout: .now() + 10) == .success { return }
    let sentence =
      "the recording '\(path)' is not complete, because the disk has not taken it within 10 s: what it has taken is "
      + "in a file whose name ends in .partial"
    report(.failed(sentence: sentence, Failure(.outputNotWritten, sentence)))
  }

  /// Returns the path of the next audio file.
  private func nextPath() -> String {
    state.withLock { state in
      if isNameFixed, state.number == 0 {
        state.number = 1
        return path
      }
      let next = Self.freePath(path, from: state.number + 1)
      state.number = next.number
      return next.path
    }
  }

  /// Returns the first path, counted from a number on, at which there is neither an audio file nor its MIDI file.
  private static func freePath(_ path: String, from first: Int) -> (path: String, number: Int) {
    let (stem, ending) = parts(path)
    var number = first
    while true {
      let next = number == 1 ? path : "\(stem)-\(number)\(ending)"
      if ![next, midiPath(next)].contains(where: exists) { return (next, number) }
      number += 1
    }
  }

  private static func exists(_ path: String) -> Bool { access(path.platformString, F_OK) == 0 }

  /// Returns the file name of a path without its extension.
  package static func stem(of path: String) -> String {
    String(parts(String(path.folderAndName.name)).stem)
  }

  /// Returns the path of the MIDI file beside an audio file.
  package static func midiPath(_ path: String) -> String { parts(path).stem + ".mid" }

  /// Splits a path before its extension. A dot at the start of a file name does not start an extension.
  private static func parts(_ path: String) -> (stem: Substring, ending: Substring) {
    let name = path.folderAndName.name.startIndex
    guard let dot = path.lastIndex(of: "."), dot > name else { return (path[...], "") }
    return (path[..<dot], path[dot...])
  }
}
