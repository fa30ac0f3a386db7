import Dispatch
public import LiveMIDI
public import RenderCore
import Threads

/// Plays ports to a sound device while no host has them.
///
/// The device is open while something is connected to a port, so that the first note is not late, and until
/// the last one has died away; else it is closed, and no thread wakes. Where it cannot be had, or is lost,
/// it is tried again every few seconds as long as it is wanted.
///
/// A port that a host initializes leaves the sound within 10 ms, without a click, and comes back as it was
/// when the host is done with it.
///
/// Realtime: no. Threads: any; what has to be done is done on a queue of its own.
///
/// `@unchecked Sendable`: everything below belongs to that queue.
public final class LocalPlayback: @unchecked Sendable {
  /// Opens the device.
  public typealias Opening = @Sendable () throws(SoundDeviceError) -> any SoundDevice

  private let open: Opening
  private let tell: @Sendable (LocalPlaybackEvent) -> Void
  private let queue = DispatchQueue(label: "portative-standalone")
  private let deferredWork = DeferredWorkThread()
  private var places: [Place] = []
  private var sound: LocalPlaybackDevice?
  /// Whether it was told that it plays.
  private var isAnnounced = false
  /// Reasons for no sound that were reported since the device last played.
  private var complaints: [SoundDeviceError] = []
  private var backoff = RetryBackoff()
  private var isStopped = false
  /// The number of the look that is to be taken next; an older one is out of date.
  private var look = 0

  /// A port that may be played.
  private struct Place {
    let name: String
    let input: LiveInput
    let source: any RenderUnitSource
    let takesAudio: Bool
    /// There while it is in the mix.
    var port: MixPort?
    var hasFailed = false

    var isWanted: Bool { input.hasSources && !hasFailed }
  }

  /// Starts to look after ports. ``stop()`` must follow.
  ///
  /// - Parameters:
  ///   - open: Called on a queue of this object's, and may take its time.
  ///   - tell: Gets what happens, on that queue.
  /// - Throws: When there is no thread to be had.
  public init(
    open: @escaping Opening, tell: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    self.open = open
    self.tell = tell
    try deferredWork.start()
  }

  /// Plays a port from now on.
  ///
  /// - Parameters:
  ///   - name: For people.
  ///   - source: Makes its unit whenever one is wanted.
  ///   - takesAudio: Whether the unit works on audio. Here it is given silence, in as many channels as it has.
  public func add(
    _ name: String, _ input: LiveInput, _ source: any RenderUnitSource, takesAudio: Bool = false
  ) {
    queue.async { [self] in
      places.append(
        Place(name: name, input: input, source: source, takesAudio: takesAudio))
      input.onChange { [weak self] in self?.changed() }
      update()
    }
  }

  /// Plays a port no more.
  public func remove(_ input: LiveInput) {
    input.onChange(nil)
    queue.async { [self] in
      guard let index = places.firstIndex(where: { $0.input === input }) else { return }
      if let port = places.remove(at: index).port {
        sound?.silence(port)
        mix()
        drop(port)
      }
      update()
    }
  }

  /// Tells where ports will sound, or why they will not: opens the device and closes it again, unless it is open.
  public func announce() {
    queue.async { [self] in
      if isStopped || sound != nil || !complaints.isEmpty { return }
      do throws(SoundDeviceError) {
        let device = try open()
        tell(.ready(device.summary))
        device.stop()
      } catch {
        complaints.append(error)
        tell(.silent(error))
      }
    }
  }

  /// Closes the device. Whoever opens it just now is not waited for longer than two seconds.
  public func stop() {
    let isDone = DispatchSemaphore(value: 0)
    queue.async { [self] in
      isStopped = true
      close()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + 2)
    deferredWork.stop()
  }

  private func changed() { queue.async { [self] in update() } }

  /// Brings everything into the state in which it should be.
  private func update() {
    if isStopped { return }
    let isWanted = places.contains(where: \.isWanted)
    if let sound, sound.isLost {
      close()
      if isWanted, backoff.isTried(by: sound.age) { return lookAgain(in: backoff.next()) }
    }
    if sound == nil, isWanted { begin() }
    guard let sound else { return }
    fill(sound)
    if isWanted { return }
    if sound.isHeard { return lookAgain(in: RetryBackoff.shortest) }
    close()
    tell(.closed)
  }

  private func lookAgain(in seconds: Double) {
    look += 1
    let number = look
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      if let self, look == number { update() }
    }
  }

  private func begin() {
    do throws(SoundDeviceError) {
      let sound = LocalPlaybackDevice(try open(), bell: deferredWork.bell)
      self.sound = sound
      fill(sound)
      try sound.start { [weak self] event in self?.hear(event, of: sound) }
      announce(sound, lookingAgainIn: 0.02)
    } catch {
      close()
      complain(error)
      if error.mayPass { lookAgain(in: RetryBackoff.shortest) }
    }
  }

  /// Tells that a device plays, as soon as it takes something: what can be opened need not.
  private func announce(_ sound: LocalPlaybackDevice, lookingAgainIn seconds: Double) {
    guard self.sound === sound, !sound.isLost else { return }
    if sound.hasPlayed {
      complaints = []
      isAnnounced = true
      tell(.playing(sound.summary))
    } else {
      queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
        self?.announce(sound, lookingAgainIn: min(2 * seconds, 2))
      }
    }
  }

  /// Reports why there is no sound: each reason once, until the device plays.
  private func complain(_ error: SoundDeviceError) {
    if complaints.contains(error) { return }
    complaints.append(error)
    tell(.silent(error))
  }

  private func close() {
    sound?.stop()
    sound = nil
    isAnnounced = false
    for index in places.indices {
      if let port = places[index].port { drop(port) }
      places[index].port = nil
    }
  }

  private func hear(_ event: SoundDeviceEvent, of sound: LocalPlaybackDevice) {
    queue.async { [self] in
      guard self.sound === sound else { return }
      if case .lost(let reason) = event { lose(sound, reason) } else { tell(.device(event)) }
      update()
    }
  }

  /// A device is lost: if it has not taken anything yet, it never played.
  private func lose(_ sound: LocalPlaybackDevice, _ reason: String) {
    if sound.hasPlayed {
      if !isAnnounced { tell(.playing(sound.summary)) }
      tell(.device(.lost(reason: reason)))
    } else {
      complain(SoundDeviceError(device: sound.name, mayPass: true, reason: reason))
    }
    isAnnounced = false
  }

  /// Makes the units that are wanted, and leaves to hosts what is theirs.
  private func fill(_ sound: LocalPlaybackDevice) {
    var isNew = false
    for index in places.indices {
      if places[index].port == nil, places[index].isWanted {
        places[index].port = make(places[index], sound.format)
        places[index].hasFailed = places[index].port == nil
        isNew = true
      }
      places[index].port?.isWanted = !places[index].input.isHosted
    }
    if isNew { mix() }
  }

  private func make(_ place: Place, _ format: Format) -> MixPort? {
    do {
      var format = format
      format.inputChannels = place.takesAudio ? format.channels : 0
      let unit = try place.source.makeUnit(format)
      deferredWork.add(for: unit) { unit.performDeferredWork() }
      let port = MixPort(unit, place.input, format)
      port.begin()
      return port
    } catch {
      tell(.failed(port: place.name, reason: "\(error)"))
      return nil
    }
  }

  private func mix() {
    guard let sound, !sound.mix(places.compactMap(\.port)) else { return }
    lose(sound, "the device asks for no more sound")
    changed()
  }

  private func drop(_ port: MixPort) {
    port.end()
    deferredWork.remove(port.unit)
  }
}
