import CRender

/// A block of 64 frames, losslessly compressed: left, right, reverb send and chorus send.
///
/// A voice adds the same signal to the four channels, scaled by a gain each. One channel is therefore almost a weighted
/// sum of two others. The residual is a few units in the last place, and is stored in at most one byte per sample.
struct CompressedBlock {
  let address: UnsafeMutableRawPointer
  /// The storage format of each channel: `silent`, `plain`, or `derived` plus the bits per residual.
  let packing: SIMD4<UInt8>

  /// The maximum size: the gains and four uncompressed channels.
  static var maximumBytes: Int { @_noLocks get { gainBytes + 4 * channelBytes } }
  private static var gainBytes: Int { @_noLocks get { 16 } }
  private static var channelBytes: Int { @_noLocks get { Lane.blockFrames * 4 } }

  /// Nothing is stored; every sample is zero.
  private static var silent: UInt8 { @_noLocks get { 0 } }
  /// The samples are stored uncompressed.
  private static var plain: UInt8 { @_noLocks get { 1 } }
  /// Only the residuals of the prediction are stored. The number of bits per residual is added to this
  /// value: 0 when the prediction is exact.
  private static var derived: UInt8 { @_noLocks get { 16 } }

  @_noLocks init(_ address: UnsafeMutableRawPointer, _ packing: SIMD4<UInt8>) {
    self.address = address
    self.packing = packing
  }

  /// Whether any sample differs from zero.
  var hasSound: Bool { @_noLocks get { packing != SIMD4<UInt8>(repeating: Self.silent) } }

  /// Packs a block.
  ///
  /// - Parameters:
  ///   - source: The first sample of the first channel. Channels are `stride` samples apart.
  ///   - channels: 2 or 4.
  ///   - gains: The gains of the previous block; receives the gains of this block.
  ///   - address: A buffer of ``maximumBytes``.
  /// - Returns: The format of each channel, and the number of bytes written, a multiple of 16.
  @_noLocks static func pack(
    _ source: UnsafeMutablePointer<Float>, stride: Int, channels: Int,
    gains: inout SIMD4<Float>, to address: UnsafeMutableRawPointer
  ) -> (packing: SIMD4<UInt8>, bytes: Int) {
    var packing = SIMD4<UInt8>(repeating: silent)
    var sources = SourceChannels()
    var bytes = gainBytes
    for channel in 0..<channels {
      let samples = source + channel * stride
      if isSilent(samples) { continue }
      let next = address + bytes
      let prediction = PredictedChannel(channel, of: sources)
      let residuals = next.assumingMemoryBound(to: Int8.self)
      if let bits = prediction?.derive(samples, &gains, to: residuals) {
        packing[channel] = derived + UInt8(truncatingIfNeeded: bits)
        if bits > 0 { bytes += ResidualBits.pack(residuals, bits: bits) }
      } else {
        packing[channel] = plain
        next.copyMemory(from: samples, byteCount: channelBytes)
        bytes += channelBytes
      }
      sources.add(channel, samples)
    }
    address.storeBytes(of: gains, as: SIMD4<Float>.self)
    return (packing, bytes)
  }

  /// Unpacks the block and adds it to the sums of its channels, as it is.
  @_noLocks @discardableResult func add(
    to sums: Sums, dry: Int = 0, at position: Int, work: UnsafeMutablePointer<Float>
  ) -> SourceChannels {
    add(to: sums, dry: dry, at: position, work: work) { samples, _ in samples }
  }

  /// Unpacks the block and adds it to the sums of its channels.
  ///
  /// - Parameters:
  ///   - dry: The channel of `sums` that receives the left channel; the next one receives the right.
  ///   - position: The first frame in `sums`.
  ///   - work: A scratch buffer of five blocks.
  ///   - gained: Returns a dry channel, 0 or 1, as it is to be added.
  /// - Returns: The channels that were added; valid until `work` is overwritten.
  @_noLocks func add(
    to sums: Sums, dry: Int, at position: Int, work: UnsafeMutablePointer<Float>,
    gained: (UnsafePointer<Float>, Int) -> UnsafePointer<Float>
  ) -> SourceChannels {
    let gains = address.load(as: SIMD4<Float>.self)
    var (sources, added) = (SourceChannels(), SourceChannels())
    var next = address + Self.gainBytes
    for channel in 0..<4 where packing[channel] != Self.silent {
      var samples = UnsafePointer(next.assumingMemoryBound(to: Float.self))
      if packing[channel] == Self.plain {
        next += Self.channelBytes
      } else if let prediction = PredictedChannel(channel, of: sources) {
        let restored = work + channel * Lane.blockFrames
        prediction.restore(
          restored, gains, residuals(packing[channel], at: &next, work + 4 * Lane.blockFrames))
        samples = UnsafePointer(restored)
      }
      let target = sums.channel(channel < 2 ? dry + channel : channel)
      let audible = channel < 2 ? gained(samples, channel) : samples
      fixed_point_add(audible, target + position, Lane.blockFrames)
      sources.add(channel, samples)
      added.add(channel, audible)
    }
    return added
  }

  /// Returns the residuals of a channel; `nil` when the prediction is exact.
  ///
  /// - Parameter next: The packed residuals; advanced past them.
  @_noLocks private func residuals(
    _ packing: UInt8, at next: inout UnsafeMutableRawPointer, _ work: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Int8>? {
    let bits = Int(packing &- Self.derived)
    if bits == 0 { return nil }
    let packed = UnsafePointer(next.assumingMemoryBound(to: UInt8.self))
    next += Lane.blockFrames * bits / 8
    if bits == 8 { return UnsafeRawPointer(packed).assumingMemoryBound(to: Int8.self) }
    let residuals = UnsafeMutableRawPointer(work).assumingMemoryBound(to: Int8.self)
    ResidualBits.unpack(packed, bits: bits, to: residuals)
    return UnsafePointer(residuals)
  }

  /// Whether every sample of a block is +0 or −0.
  @_noLocks static func isSilent(_ samples: UnsafePointer<Float>) -> Bool {
    var bits: UInt32 = 0
    for i in 0..<Lane.blockFrames { bits |= samples[i].bitPattern << 1 }
    return bits == 0
  }
}
