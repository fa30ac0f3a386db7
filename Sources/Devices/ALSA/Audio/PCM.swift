import CALSA
import Glibc
import RenderCore

/// An alsa-lib device opened for playback or capture, in non-blocking mode.
///
/// Threads: one at a time.
///
/// The corresponding C type is `snd_pcm_t`.
final class PCM {
  let handle: OpaquePointer
  private var isOpen = true

  /// - Parameter name: The alsa-lib name: `default`, `hw:0`, `plughw:CARD=PCH,DEV=3`.
  init(
    opening name: String, _ stream: snd_pcm_stream_t = SND_PCM_STREAM_PLAYBACK
  ) throws(PCMFailure) {
    calsa_keep_quiet()
    var handle: OpaquePointer?
    try check(snd_pcm_open(&handle, name, stream, SND_PCM_NONBLOCK))
    guard let handle else { throw .failed(code: ENOMEM) }
    self.handle = handle
  }

  deinit { close() }

  /// Stops the device and frees its configuration, so that it can be configured again.
  func release() {
    snd_pcm_drop(handle)
    snd_pcm_hw_free(handle)
  }

  /// Drops all pending frames and closes the device.
  func close() {
    if !isOpen { return }
    isOpen = false
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
  }
}

extension PCM {
  /// The sample rates that our instruments support, in frames per second.
  static let rates = 8000...96_000

  /// Configures the device as close to the request as it supports.
  ///
  /// The device's own rates are used: alsa-lib's resampling is disabled.
  func configure(_ request: PCMRequest) throws(PCMFailure) -> PCMSettings {
    let parameters = try Self.allocated(snd_pcm_hw_params_malloc)
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(handle, parameters))
    try check(snd_pcm_hw_params_set_rate_resample(handle, parameters, 0))
    let access = try configureAccess(parameters, request)
    let encoding = try configureEncoding(parameters, request)
    let channels = try configureChannels(parameters)
    let rate = try configureRate(parameters, request)
    let (period, buffer) = try configureBuffer(parameters, request)
    try check(snd_pcm_hw_params(handle, parameters))
    return PCMSettings(
      rate: rate, channels: channels, encoding: encoding, access: access, period: period,
      buffer: buffer, isStamped: try configureThresholds(period: period, buffer: buffer))
  }

  private func configureAccess(
    _ parameters: OpaquePointer, _ request: PCMRequest
  ) throws(PCMFailure) -> PCMAccess {
    for access in request.accesses
    where snd_pcm_hw_params_set_access(handle, parameters, access.code) == 0 { return access }
    throw .noAccess
  }

  private func configureEncoding(
    _ parameters: OpaquePointer, _ request: PCMRequest
  ) throws(PCMFailure) -> SampleEncoding {
    for encoding in request.encodings
    where snd_pcm_hw_params_set_format(handle, parameters, encoding.code) == 0 { return encoding }
    throw .noEncoding
  }

  private func configureChannels(_ parameters: OpaquePointer) throws(PCMFailure) -> Int {
    var most: UInt32 = 0
    try check(snd_pcm_hw_params_get_channels_max(parameters, &most))
    for count in PCMSettings.channelCounts(upTo: Int(most))
    where snd_pcm_hw_params_set_channels(handle, parameters, UInt32(count)) == 0 { return count }
    throw .noChannels
  }

  private func configureRate(
    _ parameters: OpaquePointer, _ request: PCMRequest
  ) throws(PCMFailure) -> Int {
    var least: UInt32 = 0
    var most: UInt32 = 0
    try check(snd_pcm_hw_params_get_rate_min(parameters, &least, nil))
    try check(snd_pcm_hw_params_get_rate_max(parameters, &most, nil))
    let possible = Int(least)...Int(max(least, most))
    least = UInt32(Self.rates.lowerBound)
    most = UInt32(Self.rates.upperBound)
    guard snd_pcm_hw_params_set_rate_minmax(handle, parameters, &least, nil, &most, nil) == 0
    else { throw .noRate(possible) }
    var rate = UInt32(max(Self.rates.lowerBound, min(Self.rates.upperBound, request.rate)))
    try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))
    return Int(rate)
  }

  private func configureBuffer(
    _ parameters: OpaquePointer, _ request: PCMRequest
  ) throws(PCMFailure) -> (period: Int, buffer: Int) {
    var period = snd_pcm_uframes_t(max(1, min(Format.frameCounts.upperBound, request.period)))
    try check(snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, nil))
    var buffer = period * snd_pcm_uframes_t(max(2, request.periods))
    try check(snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer))
    guard Int(buffer) >= 2 * Int(period), Format.frameCounts.contains(Int(period)) else {
      throw .noBuffer(frames: Int(buffer), period: Int(period))
    }
    return (Int(period), Int(buffer))
  }

  /// Configures the device to start only by a call, to stop when its buffer is empty, and to wake us when a period is
  /// free.
  ///
  /// - Returns: Whether the device timestamps its positions by CLOCK_MONOTONIC.
  private func configureThresholds(period: Int, buffer: Int) throws(PCMFailure) -> Bool {
    let parameters = try Self.allocated(snd_pcm_sw_params_malloc)
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(handle, parameters))
    var never: snd_pcm_uframes_t = 0
    try check(snd_pcm_sw_params_get_boundary(parameters, &never))
    try check(snd_pcm_sw_params_set_start_threshold(handle, parameters, never))
    try check(
      snd_pcm_sw_params_set_stop_threshold(handle, parameters, snd_pcm_uframes_t(buffer)))
    try check(snd_pcm_sw_params_set_avail_min(handle, parameters, snd_pcm_uframes_t(period)))
    let isStamped =
      snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE) == 0
      && snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC) == 0
    try check(snd_pcm_sw_params(handle, parameters))
    return isStamped
  }

  static func allocated(
    _ allocate: (UnsafeMutablePointer<OpaquePointer?>) -> CInt
  ) throws(PCMFailure) -> OpaquePointer {
    var pointer: OpaquePointer?
    try check(allocate(&pointer))
    guard let pointer else { throw .failed(code: ENOMEM) }
    return pointer
  }
}

extension PCMSettings {
  /// Returns the channel counts to try, in order: 2; then more, of which the first two are used; then 1, for both.
  ///
  /// - Parameter most: The maximum that the device reports; a plugin may report about 4 × 10⁹.
  static func channelCounts(upTo most: Int) -> [Int] {
    [2] + Array(3...max(3, min(most, 256))) + [1]
  }
}

extension PCMAccess {
  var code: snd_pcm_access_t {
    switch self {
    case .mappedInterleaved: SND_PCM_ACCESS_MMAP_INTERLEAVED
    case .mappedSeparate: SND_PCM_ACCESS_MMAP_NONINTERLEAVED
    case .written: SND_PCM_ACCESS_RW_INTERLEAVED
    }
  }
}

extension SampleEncoding {
  var code: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .integer32: SND_PCM_FORMAT_S32_LE
    case .integer24: SND_PCM_FORMAT_S24_LE
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .integer16: SND_PCM_FORMAT_S16_LE
    }
  }
}

/// The reason why a device could not be opened or used.
enum PCMFailure: Error, Equatable, Sendable {
  /// An alsa-lib call failed with an `errno` value.
  case failed(code: CInt)
  /// The device supports none of our rates. The value is its own range.
  case noRate(ClosedRange<Int>)
  case noChannels
  case noEncoding
  case noAccess
  /// The buffer is shorter than two periods.
  case noBuffer(frames: Int, period: Int)
}

/// Returns `result`, or throws if it is a negative error code.
@discardableResult
func check<Result: SignedInteger>(_ result: Result) throws(PCMFailure) -> Result {
  if result < 0 { throw .failed(code: CInt(-result)) }
  return result
}
