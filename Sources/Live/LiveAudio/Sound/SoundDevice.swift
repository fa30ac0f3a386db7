public import RenderCore
public import Threads

/// Where sound goes when no host asks for it: a sound card, or a JACK server.
///
/// Made by opening it, which settles its ``format``. It has one thread, which calls the renderer for each
/// cycle, with no events and ``RenderCycle/hostTime`` as exact as the device knows it. It tends to xruns
/// and suspension by itself, and says so; once it is lost it is of no use, and has to be opened anew.
///
/// Threads: any, one at a time.
public protocol SoundDevice: AnyObject, Sendable {
  /// What it has settled on: rate, channels, and frames of a cycle (`maximumFrames`).
  var format: Format { get }

  /// Frames from the call of the renderer for a frame until it is heard, as far as the device knows: its
  /// buffer.
  var latency: Int { get }

  /// What it is, and how it is used, for people: "default: 48000 Hz, 3 × 256 frames, 16 bits". It begins with the
  /// name of the device.
  var summary: String { get }

  /// Starts the device.
  ///
  /// - Parameters:
  ///   - renderer: Called on the device's thread, whose state has to live until ``stop()`` has returned.
  ///   - tell: What happens; on threads of the device's that are not realtime.
  func start(
    _ renderer: Renderer, tell: @escaping @Sendable (SoundDeviceEvent) -> Void
  ) throws(SoundDeviceError)

  /// Stops the device and lets go of it, within half a second. The renderer is not called any more then.
  func stop()
}

/// What happens at a sound device while it plays.
public enum SoundDeviceEvent: Equatable, Sendable, CustomStringConvertible {
  /// Its thread has no realtime priority; it plays all the same.
  case notRealtime(RealtimeRefusal)
  /// The device had nothing to play for a moment; how many times since the last such event.
  case xruns(Int)
  /// The device takes more at a time than its buffer held, so the buffer is longer now, and all is heard later.
  case lengthened(frames: Int)
  /// The machine slept, or the device did; it goes on.
  case resumed
  /// It is gone: unplugged, or its server ended. ``SoundDevice/stop()`` has to be called.
  case lost(reason: String)

  public var description: String {
    switch self {
    case .notRealtime(let refusal): "sound may be interrupted: \(refusal)"
    case .xruns(let count):
      "the sound was interrupted \(count == 1 ? "(an xrun)" : "\(count) times (xruns)"), for the machine "
        + "was too slow: choose a longer period, or end what else keeps it busy"
    case .lengthened(let frames):
      "the sound server takes more at a time than the buffer held: the buffer has \(frames) frames now, "
        + "and all is heard later; for less delay, let the server work in shorter periods"
    case .resumed: "the sound goes on: the sound card was asleep"
    case .lost(let reason): "the sound has stopped: \(reason)"
    }
  }
}

/// Why a sound device cannot be had. Its description is a sentence with the remedy.
public struct SoundDeviceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// As the user named it.
  public let device: String
  /// Whether it may work later while we run: it is in use, not plugged in, or its server may be set anew.
  public let mayPass: Bool
  public let reason: String

  public init(device: String, mayPass: Bool, reason: String) {
    self.device = device
    self.mayPass = mayPass
    self.reason = reason
  }

  public var description: String { "no sound from '\(device)': \(reason)" }
}
