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

  package init() {}
}
