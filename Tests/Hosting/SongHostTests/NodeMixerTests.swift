import ConnectionTestSupport
import Effects
import LivePlayer
import NodeHost
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NodeMixerTests {
  private let format = Format(maximumFrames: 256)

  /// Renders cycles of 100 frames and sends the events to all chains.
  private func render(
    _ mixer: NodeMixer, cycles: Int, _ events: [(frame: Int, key: UInt8)] = [],
    playing transport: Transport = Transport(provides: .nothing)
  ) -> (left: [Float], right: [Float]) {
    var (left, right) = ([Float](), [Float]())
    for cycle in 0..<cycles {
      let output = StereoOutput(frames: 100)
      for (frame, key) in events where frame / 100 == cycle {
        let event = MIDIEvent(
          offset: UInt32(frame % 100),
          content: .channel(ChannelMessage(.noteOn, channel: 0, key, 100)))
        for chain in 0..<mixer.chains.count {
          let status = mixer.state.pointee.schedule(
            event, of: MIDICycle(frames: 100), chain: chain)
          #expect(status == .accepted)
        }
      }
      withUnsafePointer(
        to: TransportPoint(
          offset: 0, transport.after(frames: 100 * cycle, sampleRate: 48_000))
      ) {
        mixer.state.pointee.render(
          frames: 100, hostTime: nil, transport: UnsafeBufferPointer(start: $0, count: 1),
          into: UnsafePointer(output.pointers))
      }
      left += output.left
      right += output.right
    }
    return (left, right)
  }

  @Test func `a single chain is mixed bit for bit`() throws {
    let (nodes, other) = (try LatencyNodes([[33, 20]]), try LatencyNodes([[33, 20]]))
    let mixer = NodeMixer(nodes.chains, maximumFrames: 256)
    #expect(mixer.latency == 53)
    let left = render(mixer, cycles: 5, [(7, 60), (130, 61)]).left
    #expect(pulses(left) == [7 + 53: 60, 130 + 53: 61])
    // A second run gives the same bits, including the sign of zero.
    let minus = NodeMixer(other.chains, maximumFrames: 256)
    #expect(
      render(minus, cycles: 5, [(7, 60), (130, 61)]).left.map(\.bitPattern)
        == left.map(\.bitPattern))
  }

  @Test(arguments: [[[7], [400]], [[300, 50], [20]], [[0], [0]], [[5], [1], [900]]])
  func `chains of different latency are aligned on one frame`(latencies: [[Int]]) throws {
    let nodes = try LatencyNodes(latencies)
    let mixer = NodeMixer(nodes.chains, maximumFrames: 256)
    let latest = latencies.map { $0.reduce(0, +) }.max()!
    #expect(mixer.latency == latest)
    let heard = render(mixer, cycles: 20, [(0, 60), (99, 61), (555, 62)]).left
    let count = Float(latencies.count)
    #expect(
      pulses(heard) == [
        latest: 60 * count, 99 + latest: 61 * count, 555 + latest: 62 * count,
      ])
  }

  @Test func `a changed latency applies after the next alignment`() throws {
    let nodes = try LatencyNodes([[10], [200]])
    let mixer = NodeMixer(nodes.chains, maximumFrames: 256)
    #expect(pulses(render(mixer, cycles: 4, [(50, 60)]).left) == [250: 120])
    for (late, latest) in [(321, 321), (0, 200)] {
      nodes.unit(0).latency = late
      #expect(eventually { nodes.chains[0][0].latency == late })
      // The mixer adopts the new latency only when it is aligned.
      #expect(mixer.latency != latest)
      mixer.align()
      #expect(mixer.latency == latest)
      #expect(pulses(render(mixer, cycles: 6, [(50, 60)]).left) == [50 + latest: 120])
    }
  }

  @Test(arguments: [[[0]], [[333]], [[40], [333, 8]]])
  func `the metronome is delayed like the notes`(latencies: [[Int]]) throws {
    let nodes = try LatencyNodes(latencies)
    let metronome = try MetronomeSource().makeUnit(format)
    let mixer = NodeMixer(nodes.chains, metronome: metronome, maximumFrames: 256)
    var transport = Transport()
    (transport.isPlaying, transport.tempo, transport.beat) = (true, 120, -0.01)
    // Beat 0 is 240 frames ahead.
    let heard = render(
      mixer, cycles: 12, playing: transport)
    let first = heard.right.firstIndex { $0 != 0 }
    #expect(heard.left == heard.right)
    // The first sample of a click may be zero.
    let begin = 240 + mixer.latency
    #expect(first == begin || first == begin + 1)
  }

  @Test func `a metronome that is off in the song still counts in`() throws {
    let nodes = try LatencyNodes([[0]])
    let metronome = try MetronomeSource().makeUnit(format)
    try metronome.parameters?.set("count-in", to: 1)
    let mixer = NodeMixer(nodes.chains, metronome: metronome, maximumFrames: 256)
    #expect(mixer.isClicking)
    mixer.isClicking = false
    #expect(!mixer.isClicking)
    var transport = Transport()
    (transport.isPlaying, transport.tempo, transport.beat) = (true, 120, -1)
    let heard = render(mixer, cycles: 300, playing: transport).left
    #expect(heard[..<5000].contains { $0 != 0 })
    #expect(!heard[23_000...].contains { $0 != 0 })
  }

  @Test func `a mixer that continues for another counts each cycle once`() throws {
    let nodes = try LatencyNodes([[0]])
    let first = NodeMixer(nodes.chains, maximumFrames: 256)
    _ = render(first, cycles: 5, [])
    #expect(first.statistics[0][0].cycles == 5)
    let next = NodeMixer(nodes.chains, maximumFrames: 256, earlier: first.statistics)
    #expect(next.statistics[0][0].cycles == 5)
    nodes.chains[0][0].uninitialize()
    try nodes.chains[0][0].initialize(format, mode: .offline)
    next.open(0, with: nodes.chains[0])
    _ = render(next, cycles: 3, [])
    #expect(next.statistics[0][0].cycles == 8)
  }
}
