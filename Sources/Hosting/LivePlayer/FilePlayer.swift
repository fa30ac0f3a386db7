import BatchRenderer
import Effects
import FluidSynthEngine
import Glibc
package import LocalSystem
package import MIDIFile
package import NodeHost
package import OfflineRenderer
import RenderCore
import Synchronization

/// Plays a song through nodes into a file, as fast as the nodes render.
///
/// Realtime: no. Threads: one at a time.
package struct FilePlayer {
  package let mixer: NodeMixer
  private let song: StandardMIDIFile
  private let input: String
  private let settings: RenderSettings
  private let connector: NodeConnector
  private let player: NodePlayer
  private let stems: SongRenderer.PlayedStems?
  private let labels: LabelFile?

  /// Initializes the nodes.
  ///
  /// - Parameters:
  ///   - range: The part of the song that is played with `settings`.
  ///   - input: The path of the song, for messages.
  ///   - chains: Connected but not initialized. Without `parts`, as many for each port of the song, first those of the
  ///     first port.
  ///   - parts: What each chain plays; empty: each plays its port of the song.
  ///   - delays: Frames by which each chain is later than its latency; empty: none is.
  ///   - stems: The stems that the parts belong to, and their destination; `nil` for none.
  ///   - labels: The destination of the labels; `nil` for none.
  package init(
    _ song: StandardMIDIFile, _ range: FrameRange, input: String, settings: RenderSettings,
    cycle: CycleLengths.Choice, hasMetronome: Bool, _ connector: NodeConnector,
    _ chains: [[Connection]],
    parts: [ChainPart] = [], delays: [Int] = [], stems: SongRenderer.PlayedStems? = nil,
    labels: LabelFile? = nil
  ) throws(Failure) {
    let lengths = CycleLengths(cycle)
    let format = Format(sampleRate: settings.sampleRate, maximumFrames: lengths.maximum)
    do {
      try connector.initialize(chains, format, mode: .offline, priority: 0)
      mixer = NodeMixer(
        chains, metronome: hasMetronome ? try MetronomeSource().makeUnit(format) : nil,
        maximumFrames: format.maximumFrames, delays: delays, stopsAtLoss: true)
      var parts = parts
      if parts.isEmpty {
        let chainsPerPort = max(1, chains.count / range.timeline.ports.count)
        parts = chains.indices.map { ChainPart(port: $0 / chainsPerPort) }
      }
      for (index, part) in parts.enumerated() {
        mixer.state.pointee.setGains(left: part.left, right: part.right, ofChain: index)
      }
      player = NodePlayer(
        mixer, format, lengths: lengths, range, parts: parts, stems: stems?.plan.stems.count ?? 0,
        measuresNotes: labels != nil)
    } catch {
      throw Failure(error)
    }
    self.song = song
    self.input = input
    self.settings = settings
    self.connector = connector
    (self.stems, self.labels) = (stems, labels)
  }

  /// Plays the song.
  ///
  /// - Parameters:
  ///   - open: Opens the file, which is finished on success, and removed on failure.
  ///   - begin: Called with the approximate number of seconds of audio, before rendering starts.
  ///   - progress: Called with the number of seconds rendered since the last call.
  ///   - accept: Called at the end. The file is removed if it throws.
  package func render(
    to open: () throws(RenderError) -> RenderedFile, begin: (Double) -> Void,
    progress: (Double) -> Void,
    accept: (SongReport) throws -> Void
  ) throws(Failure) -> SongReport {
    var refusal: (any Error)?
    do throws(RenderError) {
      return try closingWhenInterrupted(mixer.connections) { () throws(RenderError) in
        try SongRenderer.render(
          song, to: try open(), by: player, settings: settings, stems: stems, labels: labels,
          begin: begin, progress: progress,
          isCancelled: { Interruption.signal != nil },
          accept: { report in
            report.statistics.notes = player.notes
            player.measure(&report.loggedNotes)
            // Read now, because the figures end with the connection.
            let figures = mixer.chains.lazy.compactMap { connector.noteFigures(of: $0[0]) }
            if let figures = figures.first { report.statistics.set(figures) }
            do { try accept(report) } catch { refusal = error }
            return refusal == nil
          })
      }
    } catch {
      if let refusal { throw Failure(refusal) }
      // A signal closed the connections, which caused this error.
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
      throw Failure(error, input: input)
    }
  }
}

/// Closes connections as soon as a signal arrives, so that an offline render call stops waiting for its node.
///
/// - Parameter body: Performed on the calling thread; it may wait for the nodes of `connections`.
func closingWhenInterrupted<Value, Failure: Error>(
  _ connections: [Connection], _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
  let isDone = Atomic(false)
  let watch = try? SystemThread(name: "portative-watch") {
    while !isDone.load(ordering: .acquiring) {
      if Interruption.signal != nil { return connections.forEach { $0.close() } }
      usleep(20_000)
    }
  }
  defer {
    isDone.store(true, ordering: .releasing)
    watch?.join()
  }
  return try body()
}
