/// Where a server offers its panel.
package struct PanelSettings: Equatable, Sendable {
  /// The port; `nil`: that of the last time, or any.
  package var port: Int?
  /// The address that other machines reach; `nil`: the loopback interface only.
  package var address: String?
  /// The password with which pages of other machines are admitted.
  package var password: String?

  /// The fewest characters of a password.
  package static let shortestPassword = 8
  /// The address of the owner's link.
  static let loopback = "127.0.0.1"

  package init() {}

  /// The addresses at which the panel listens.
  var addresses: [String] {
    switch address {
    // An address of its own would be in use.
    case "0.0.0.0": ["0.0.0.0"]
    case let address?: address == Self.loopback ? [address] : [Self.loopback, address]
    case nil: [Self.loopback]
    }
  }

  /// Returns the name of the address in a link for other machines; `nil` without one.
  func publicName(machine: String) -> String? {
    address.map { address in
      if ["0.0.0.0", "::"].contains(address) { return machine }
      return address.contains(":") ? "[\(address)]" : address
    }
  }
}
