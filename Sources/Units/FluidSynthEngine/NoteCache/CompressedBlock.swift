import CFluidSynthOverrides
import CRender

/// A block of 64 frames, left, right and the two sends, as a recording keeps it: with its very bits
/// in less room.
///
/// What a voice gives to the four channels differs by a gain only, so a channel is nearly a sum of
/// two others, each times a gain. What is nearly so differs by a few units in the last place, and
/// these are kept in a byte for each sample, or less.
struct CompressedBlock {
  let place: UnsafeMutableRawPointer
  let packing: SIMD4<UInt8>

  /// Of four channels, and of their gains.
  static var mostBytes: Int { @_noLocks get { gainBytes + 4 * channelBytes } }
  private static var gainBytes: Int { @_noLocks get { 16 } }
  private static var channelBytes: Int { @_noLocks get { Lane.blockFrames * 4 } }

  /// The ways to keep a channel.
  private static var silent: UInt8 { @_noLocks get { 0 } }
  private static var plain: UInt8 { @_noLocks get { 1 } }
  /// By what it differs from the sum of others: to this the bits for each sample are added, 0 where it
  /// is that sum.
  private static var derived: UInt8 { @_noLocks get { 16 } }

  @_noLocks init(_ place: UnsafeMutableRawPointer, _ packing: SIMD4<UInt8>) {
    self.place = place
    self.packing = packing
  }

  /// Whether any sample differs from zero.
  var hasSound: Bool { @_noLocks get { packing != SIMD4<UInt8>(repeating: Self.silent) } }

  /// Packs a block.
  ///
  /// - Parameters:
  ///   - source: The first channel's first sample; the others come `stride` samples after each other.
  ///   - channels: 2 or 4.
  ///   - gains: Those of the block before; gets those of this one.
  ///   - place: Room for ``mostBytes``; gets a multiple of 16.
  /// - Returns: How each channel is packed, and how many bytes there are.
  @_noLocks static func pack(
    _ source: UnsafeMutablePointer<Float>, stride: Int, channels: Int,
    gains: inout SIMD4<Float>, to place: UnsafeMutableRawPointer
  ) -> (packing: SIMD4<UInt8>, bytes: Int) {
    var packing = SIMD4<UInt8>(repeating: silent)
    var heard = HeardChannels()
    var bytes = gainBytes
    for channel in 0..<channels {
      let samples = source + channel * stride
      if isSilent(samples) { continue }
      let next = place + bytes
      let sum = PredictedChannel(channel, of: heard)
      let differences = next.assumingMemoryBound(to: Int8.self)
      if let bits = sum?.derive(samples, &gains, to: differences) {
        packing[channel] = derived + UInt8(truncatingIfNeeded: bits)
        if bits > 0 { bytes += ResidualBits.pack(differences, bits: bits) }
      } else {
        packing[channel] = plain
        next.copyMemory(from: samples, byteCount: channelBytes)
        bytes += channelBytes
      }
      heard.add(channel, samples)
    }
    place.storeBytes(of: gains, as: SIMD4<Float>.self)
    return (packing, bytes)
  }

  /// Unpacks the block, and adds it to the sums of its channels.
  ///
  /// - Parameters:
  ///   - dry: The channel of the sums that the left one is added to; the right one goes to the next.
  ///   - position: In the sums.
  ///   - work: Room for five blocks.
  /// - Returns: What was added; valid as long as `work` is left alone.
  @_noLocks @discardableResult func add(
    to sums: Sums, dry: Int = 0, at position: Int, work: UnsafeMutablePointer<Float>
  ) -> HeardChannels {
    let gains = place.load(as: SIMD4<Float>.self)
    var heard = HeardChannels()
    var next = place + Self.gainBytes
    for channel in 0..<4 where packing[channel] != Self.silent {
      var samples = UnsafePointer(next.assumingMemoryBound(to: Float.self))
      if packing[channel] == Self.plain {
        next += Self.channelBytes
      } else if let sum = PredictedChannel(channel, of: heard) {
        let room = work + channel * Lane.blockFrames
        sum.restore(
          room, gains, differences(packing[channel], at: &next, work + 4 * Lane.blockFrames))
        samples = UnsafePointer(room)
      }
      let target = sums.channel(channel < 2 ? dry + channel : channel)
      fixed_point_add(samples, target + position, Lane.blockFrames)
      heard.add(channel, samples)
    }
    return heard
  }

  /// The differences of a channel; `nil` where there are none.
  @_noLocks private func differences(
    _ packing: UInt8, at place: inout UnsafeMutableRawPointer, _ work: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Int8>? {
    let bits = Int(packing &- Self.derived)
    if bits == 0 { return nil }
    let packed = UnsafePointer(place.assumingMemoryBound(to: UInt8.self))
    place += Lane.blockFrames * bits / 8
    if bits == 8 { return UnsafeRawPointer(packed).assumingMemoryBound(to: Int8.self) }
    let steps = UnsafeMutableRawPointer(work).assumingMemoryBound(to: Int8.self)
    ResidualBits.unpack(packed, bits: bits, to: steps)
    return UnsafePointer(steps)
  }

  /// Whether every sample of a block is zero, of either sign.
  @_noLocks static func isSilent(_ samples: UnsafePointer<Float>) -> Bool {
    var bits: UInt32 = 0
    for i in 0..<Lane.blockFrames { bits |= samples[i].bitPattern << 1 }
    return bits == 0
  }
}

/// Where the samples of a block are, those that are not silent: left, right and the reverb send.
struct HeardChannels {
  private(set) var left: UnsafePointer<Float>?
  private(set) var right: UnsafePointer<Float>?
  private(set) var reverbSend: UnsafePointer<Float>?

  @_noLocks init() {}

  @_noLocks mutating func add(_ channel: Int, _ samples: UnsafePointer<Float>) {
    switch channel {
    case 0: left = samples
    case 1: right = samples
    case 2: reverbSend = samples
    default: break
    }
  }

  /// The greatest sample, about.
  var peak: Float {
    @_noLocks get {
      max(left.map(LaneGroup.peak) ?? 0, right.map(LaneGroup.peak) ?? 0)
    }
  }
}
