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
        guard let other = error.allowedChannels(nearest: format) else { throw error }
        format = other
      }
    }
    return try makeUnit(of: port, format, for: RenderContext(isOffline: true), isOver: isOver)
  }
}
