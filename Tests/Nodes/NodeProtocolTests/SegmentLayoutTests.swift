import CSegment
import RenderCore
import Testing

@testable import NodeProtocol

@Suite(.timeLimit(.minutes(5))) struct SegmentLayoutTests {
  @Test(arguments: [
    Format(outputChannels: 1, maximumFrames: 1), Format(outputChannels: 2, maximumFrames: 17),
    Format(outputChannels: 32, maximumFrames: 65_536),
    Format(outputChannels: 3, maximumFrames: 1000),
    Format(inputChannels: 5, outputChannels: 2, maximumFrames: 17),
  ])
  func `header, slots and channels follow each other without overlap`(format: Format) {
    let layout = SegmentLayout(format)
    var end = MemoryLayout<segment_header>.size
    #expect(end <= Int(SEGMENT_TRANSPORT_OFFSET))
    end =
      Int(SEGMENT_TRANSPORT_OFFSET) + TransportWriter.capacity
      * MemoryLayout<segment_transport>.stride
    for direction in [EventDirection.toNode, .toHost] {
      let begin = SegmentLayout.slotsOffset(direction)
      #expect(begin >= end)
      end = begin + SegmentLayout.eventSlots * MemoryLayout<segment_slot>.stride
    }
    for channel in 0..<format.outputChannels {
      #expect(layout.outputOffset(channel: channel) >= end)
      #expect(layout.outputOffset(channel: channel) % 64 == 0)
      end = layout.outputOffset(channel: channel) + format.maximumFrames * 4
    }
    for channel in 0..<format.inputChannels {
      #expect(layout.inputOffset(channel: channel) >= end)
      #expect(layout.inputOffset(channel: channel) % 64 == 0)
      end = layout.inputOffset(channel: channel) + format.maximumFrames * 4
    }
    #expect(layout.size >= end)
    #expect(layout.size % 4096 == 0)
    #expect(layout.size < end + 4096 + 64)
  }

  @Test func `the slots are a power of two`() {
    #expect(SegmentLayout.eventSlots.nonzeroBitCount == 1)
  }

  @Test(arguments: [(0, 1), (1, 2), (16, 2), (17, 3), (65_520, 4096), (65_521, 4097)])
  func `a System Exclusive message takes a slot and one for each sixteen bytes`(
    count: Int, slots: Int
  ) {
    #expect(SegmentLayout.slots(forSysEx: count) == slots)
  }

  @Test func `the longest message fills the FIFO`() {
    let longest = SegmentLayout.longestSysEx
    #expect(SegmentLayout.slots(forSysEx: longest) == SegmentLayout.eventSlots)
    #expect(SegmentLayout.slots(forSysEx: longest + 1) > SegmentLayout.eventSlots)
  }
}
