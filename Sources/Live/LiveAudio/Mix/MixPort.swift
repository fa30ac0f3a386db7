package import LiveMIDI
import LocalSystem
package import RenderCore
import Synchronization

/// A port in the mix: its unit, its live input, and its gain.
///
/// Realtime: no, except its ``state``.
///
/// `@unchecked Sendable`: the state belongs to the render thread, except the atomics in it.
package final class MixPort: @unchecked Sendable {
  package let unit: any RenderUnit
  let state: UnsafeMutablePointer<MixPortState>
  private let input: LiveInput
  /// The sound of a zone that the unit plays; 0: it is the port's own unit.
  package let sound: UInt8
  /// Records what the unit plays.
  let tap: TakeTap
  private let consumer: LiveInputConsumer
  let format: Format
  private let counters = RenderCounters()
  private let words = SharedWords(count: 4)
  private let levels = MixLevels()

  /// - Parameters:
  ///   - unit: A unit for the mix's format.
  ///   - input: The live input that plays the unit while no host has the port.
  ///   - format: The mix's format.
  ///   - capacity: The maximum number of events of a cycle of the device.
  ///   - tap: Records what the unit plays.
  package convenience init(
    _ unit: any RenderUnit, _ input: LiveInput, _ format: Format,
    device capacity: EventCapacity = .none, tap: TakeTap = .none
  ) {
    let consumer = LiveInputConsumer(
      to: input, as: .device, of: unit, sampleRate: format.sampleRate, host: capacity)
    self.init(unit, input, consumer, sound: 0, Panorama(), format, tap)
  }

  /// Adds the sound of a zone. In the list of a mix, it must come after the port.
  ///
  /// - Parameters:
  ///   - unit: A unit for the mix's format.
  ///   - sound: The number of the sound, 1…255.
  ///   - panorama: The level and the place of the sound.
  ///   - port: The port whose live input plays the unit.
  ///   - tap: Records what the unit plays.
  package convenience init(
    _ unit: any RenderUnit, sound: UInt8, _ panorama: Panorama, of port: MixPort,
    tap: TakeTap = .none
  ) {
    self.init(unit, port.input, port.consumer, sound: sound, panorama, port.format, tap)
  }

  private init(
    _ unit: any RenderUnit, _ input: LiveInput, _ consumer: LiveInputConsumer, sound: UInt8,
    _ panorama: Panorama, _ format: Format, _ tap: TakeTap
  ) {
    self.unit = unit
    self.input = input
    self.consumer = consumer
    self.tap = tap
    self.sound = sound
    self.format = format
    state = .allocate(capacity: 1)
    state.initialize(
      to: MixPortState(
        renderer: unit.renderer, events: consumer.events, sound: sound, panorama: panorama,
        enabled: words[0], audible: words[1], resting: words[2], renewal: words[3],
        counters: counters, levels: levels, sampleRate: format.sampleRate, tap: tap))
  }

  /// The unit's state before the cycles without a deadline.
  private let settings = Mutex<[UInt8]?>(nil)

  /// No thread may render the port any more.
  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    words.destroy()
    levels.destroy()
    counters.destroy()
  }

  /// Starts receiving the live input.
  package func begin() {
    consumer.begin()
    input.setPlaybackStatistics { [weak self] in self?.statistics }
  }

  /// Stops receiving the live input.
  package func end() {
    input.setPlaybackStatistics(nil)
    consumer.end()
  }

  /// Makes the step that the render thread has requested, and does the unit's deferred work.
  ///
  /// - Throws: If the unit cannot be renewed, an error whose description is a sentence; the unit continues as it is.
  package func performDeferredWork() throws {
    defer { unit.performDeferredWork() }
    let renewal = state.pointee.renewal
    guard let step = FreewheelStart.Step(word: renewal.value) else { return }
    if step == .end {
      // The render thread does not wait for it, and may request the next step meanwhile.
      renewal.store(0)
      return try restoreSettings()
    }
    defer { renewal.store(0) }
    if step == .begin {
      try restoreSettings()
      settings.withLock { $0 = unit.save() }
    }
    try (unit as? any SilenceableUnit)?.renew()
  }

  /// Restores the programs and controllers of before the cycles without a deadline, if they have not been restored.
  private func restoreSettings() throws {
    guard let kept = settings.withLock({ $0.take() }) else { return }
    try unit.restore(kept)
  }

  private var statistics: PlaybackStatistics? {
    PlaybackStatistics(
      format: format, cycles: counters.cycles, lateCycles: counters.lateCycles,
      invalidSamples: counters.invalidSamples, load: counters.load(sampleRate: format.sampleRate),
      unit: input.zoneUnits.values.reduce(unit.status) { $0.adding($1.status) })
  }

  /// Whether the port is part of the mix. A change fades the port in or out within 10 ms, without a click.
  package var isEnabled: Bool {
    get { state.pointee.enabled.value != 0 }
    set { state.pointee.enabled.store(newValue ? 1 : 0) }
  }

  /// Whether no zone of now plays the sound. Then it costs no time after its notes have ended.
  package var isResting: Bool {
    get { state.pointee.resting.value != 0 }
    set { state.pointee.resting.store(newValue ? 1 : 0) }
  }

  /// Returns the peaks in the mix since the last call, and resets them.
  func takePeaks() -> StereoPeaks { levels.take() }

  /// Whether the port is audible in the mix.
  package var isAudible: Bool { state.pointee.audible.value != 0 }
}
