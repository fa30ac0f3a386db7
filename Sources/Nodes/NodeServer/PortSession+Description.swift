import NodeDirectory
import NodeProtocol
import RenderCore

extension PortSession {
  /// Creates a unit whose properties describe a port: with two channels each way, or with the numbers of channels that
  /// the unit names when it refuses these.
  ///
  /// - Parameter isOver: Returns whether the host has disconnected. Called while the unit is created.
  static func makeUnit(
    toDescribe port: PublishedPort, isOver: () -> Bool
  ) throws(ProtocolError) -> any RenderUnit {
    var format = Format(
      inputChannels: port.description.component.type.takesAudio ? Format().outputChannels : 0)
    // A unit may refuse either number.
    for _ in 0..<2 {
      do throws(ProtocolError) {
        return try makeUnit(of: port, format, for: RenderContext(isOffline: true), isOver: isOver)
      } catch {
        guard let other = error.numberOfChannels(insteadOf: format) else { throw error }
        format = other
      }
    }
    return try makeUnit(of: port, format, for: RenderContext(isOffline: true), isOver: isOver)
  }
}

extension ProtocolError {
  /// Returns the format with the nearest number of channels that is allowed; `nil` if the error is not about channels.
  fileprivate func numberOfChannels(insteadOf format: Format) -> Format? {
    guard let allowed = data?.allowed, allowed.minimum <= allowed.maximum else { return nil }
    var format = format
    switch data?.field {
    case "params.inputChannels":
      format.inputChannels = min(max(format.inputChannels, allowed.minimum), allowed.maximum)
    case "params.outputChannels":
      format.outputChannels = min(max(format.outputChannels, allowed.minimum), allowed.maximum)
    default: return nil
    }
    return format
  }
}
