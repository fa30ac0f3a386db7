import FluidSynthEngine
import MIDIFile
import OfflineRenderer
import Synchronization
import TestSupport
import Testing

/// Returns a song with recurring notes, different for each index.
private func music(_ index: Int) -> StandardMIDIFile {
  let keys = (0..<12).map { UInt8(48 + ($0 * (index + 3)) % 24) }
  let strokes = keys.enumerated().flatMap { place, key in
    let tick = Int64(place * 2500 + index)
    return [
      on(tick, key), on(tick, 38, channel: 9), off(tick + 900, 38, channel: 9),
      off(tick + 2000, key),
    ]
  }
  return song([control(0, 10, UInt8(index * 15))] + strokes, end: 30_000)
}

@Suite(.timeLimit(.minutes(5))) struct SharedRenderResourcesTests {
  @Test(arguments: [0, 1 << 20, 32 << 20])
  func `songs that share resources have the bits of each alone, in any order`(bytes: Int)
    async throws
  {
    let font = try SoundFont.open(bundledSoundFont)
    @Sendable func render(_ index: Int, in resources: SharedRenderResources?) throws -> String {
      var settings = RenderSettings()
      settings.threads = 1 + index % 2
      let folder = try TemporaryFolder()
      return try SongRenderer(soundFont: font, settings: settings, resources: resources)
        .render(music(index), to: folder.file()).audio.hash
    }
    let alone = try (0..<4).map { try render($0, in: nil) }
    #expect(Set(alone).count == 4)
    let resources = SharedRenderResources(concurrencyLimit: 2, cacheBytes: bytes)
    let hashes = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for turn in 0..<16 {
        group.addTask { (turn * 7 % 4, try render(turn * 7 % 4, in: resources)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (index, hash) in hashes { #expect(hash == alone[index]) }
  }

  @Test func `no more songs are rendered at once than the limit allows`() async throws {
    let font = try SoundFont.open(bundledSoundFont)
    let resources = SharedRenderResources(concurrencyLimit: 2, cacheBytes: 0)
    let count = WorkCount()
    @Sendable func render(_ index: Int) {
      guard let folder = try? TemporaryFolder(), let file = try? folder.file() else { return }
      var isFirst = true
      let renderer = SongRenderer(
        soundFont: font, settings: RenderSettings(), resources: resources)
      // Every second song is cancelled while it renders.
      _ = try? renderer.render(
        music(index), to: file,
        progress: { _ in
          if isFirst { count.begin() }
          isFirst = false
        },
        isCancelled: {
          if index % 2 == 1 { count.end() }
          return index % 2 == 1
        },
        accept: { _ in
          count.end()
          return true
        })
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 { group.addTask { render(index) } }
    }
    #expect(count.begun == 8 && count.now == 0 && count.most <= 2)
  }
}

/// Counts the songs that are being rendered.
private final class WorkCount: Sendable {
  private let state = Mutex((now: 0, most: 0, begun: 0))

  func begin() {
    state.withLock {
      $0.now += 1
      $0.begun += 1
      $0.most = max($0.most, $0.now)
    }
  }

  func end() { state.withLock { $0.now -= 1 } }

  var now: Int { state.withLock { $0.now } }
  var most: Int { state.withLock { $0.most } }
  var begun: Int { state.withLock { $0.begun } }
}
