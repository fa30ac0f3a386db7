package import RenderCore

extension ProtocolError {
  /// Returns a refused format with the nearest number of channels that is allowed.
  ///
  /// - Returns: `nil` if the error does not name another number of channels.
  package func allowedChannels(nearest format: Format) -> Format? {
    guard let allowed = data?.allowed, allowed.minimum <= allowed.maximum else { return nil }
    var nearest = format
    switch data?.field {
    case "params.inputChannels":
      nearest.inputChannels = min(max(format.inputChannels, allowed.minimum), allowed.maximum)
    case "params.outputChannels":
      nearest.outputChannels = min(max(format.outputChannels, allowed.minimum), allowed.maximum)
    default: return nil
    }
    return nearest == format ? nil : nearest
  }
}
