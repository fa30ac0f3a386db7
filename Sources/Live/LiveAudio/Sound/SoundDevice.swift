public import LocalSystem
public import RenderCore
import Synchronization

/// An open sound device that plays audio: a sound card or a JACK server.
///
/// Its initializer opens the device and determines its ``format``. The device has one thread, which calls the renderer
/// for each cycle, without events and with a ``RenderCycle/hostTime`` as exact as the device provides. It recovers from
/// xruns and suspension, and reports them. A lost device is unusable and must be opened again.
///
/// Threads: any, one at a time.
public protocol SoundDevice: AnyObject, Sendable {
  /// The format that the device uses: sample rate, channels, and frames in a cycle (`maximumFrames`).
  var format: Format { get }

  /// The frames from the call of the renderer for a frame until that frame is heard, as far as the device knows: the
  /// length of its buffer.
  var latency: Int { get }

  /// The name and settings of the device for the user: "default: 48000 Hz, 3 × 256 frames, 16 bits". It begins with the
  /// name of the device.
  var summary: String { get }

  /// The SCHED_FIFO priority of the device's thread, 1…99; 0, the default, for the ordinary scheduler. Units that render in other
  /// processes have one priority less there. May block for seconds.
  var priority: Int { get }

  /// Whether the times of cycles are those of CLOCK_MONOTONIC. The default is yes; a simulated device has times of its
  /// own, by which events are placed.
  var isRealTime: Bool { get }

  /// Starts the device.
  ///
  /// - Parameters:
  ///   - renderer: Called on the device's thread. Its state must stay valid until ``stop()`` has returned.
  ///   - report: Called for each event, on threads of the device that are not realtime.
  /// - Throws: ``SoundDeviceError`` if the device cannot be started.
  func start(
    _ renderer: Renderer, report: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError)

  /// Stops and closes the device within half a second. The renderer is not called after it has returned. May be called
  /// again.
  func stop()
}

extension SoundDevice {
  public var isRealTime: Bool { true }
  public var priority: Int { 0 }
}

extension RealtimePriority {
  /// Returns the priority that a thread would have that requests one; 0 if it would be denied. It may block for seconds.
  package static func permitted(_ priority: Int) -> Int {
    let granted = Mutex(0)
    let thread = try? SystemThread(name: "portative-prio") {
      let priority = (try? request(priority)) ?? 0
      granted.withLock { $0 = priority }
    }
    thread?.join()
    return granted.withLock { $0 }
  }
}

/// An event of a sound device while it plays. Its description is a sentence for the user.
public enum SoundDeviceEvent: Equatable, Sendable, CustomStringConvertible {
  /// The device's thread has no realtime priority. The device plays nevertheless.
  case notRealtime(RealtimePriorityError)
  /// The device ran out of audio. The value is the number of xruns since the last such event.
  case xruns(Int)
  /// MIDI messages of the renderer were dropped, because there was no room for them in a cycle. The value is their number
  /// since the last such event.
  case refusedMIDI(Int)
  /// The buffer was lengthened to `frames`, because the device reads more at a time than the buffer held. The latency
  /// is longer now.
  case lengthened(frames: Int)
  /// The device plays again after the machine or the device was suspended.
  case resumed
  /// The device is lost: it was unplugged, or its server has ended. The caller must call ``SoundDevice/stop()``.
  case lost(reason: String)

  public var description: String {
    switch self {
    case .notRealtime(let refusal): "sound may be interrupted: \(refusal)"
    case .xruns(let count):
      "the sound was interrupted (\(count == 1 ? "1 xrun" : "\(count) xruns")), because the machine was "
        + "too slow: choose a longer period, or close other programs"
    case .refusedMIDI(let count):
      "\(count) MIDI \(count == 1 ? "message" : "messages") for other programs were dropped: the buffer of a cycle was full; "
        + "let the unit send fewer, or choose a shorter period"
    case .lengthened(let frames):
      "the sound server reads more at a time than the buffer held: the buffer now has \(frames) frames, "
        + "and the latency is longer; for less latency, set a shorter period in the server"
    case .resumed: "the sound continues: the sound card was suspended"
    case .lost(let reason): "the sound device is lost: \(reason)"
    }
  }
}

/// The reason why a sound device cannot be used. Its description is a sentence with the remedy.
public struct SoundDeviceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The device's name as the user gave it.
  public let device: String
  /// Whether the device may work later without a restart of the program: it is in use or unplugged, or its server may
  /// be configured again.
  public let isTemporary: Bool
  public let reason: String

  public init(device: String, isTemporary: Bool, reason: String) {
    self.device = device
    self.isTemporary = isTemporary
    self.reason = reason
  }

  public var description: String { "no sound from '\(device)': \(reason)" }
}
