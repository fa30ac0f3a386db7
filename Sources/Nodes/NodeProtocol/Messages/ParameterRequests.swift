package import RenderCore

/// Requests the parameters of the unit, without the first `offset`.
package struct GetParameters: ListRequest {
  package static let method = "parameters"
  package var offset: Int

  package init(offset: Int) { self.offset = offset }

  package struct Response: ListPart, Codable, Equatable, Sendable {
    package var items: [Parameter]
    package var total: Int
    /// All groups.
    package var groups: [ParameterTree.Group]

    package init(items: [Parameter], total: Int, groups: [ParameterTree.Group]) {
      self.items = items
      self.total = total
      self.groups = groups
    }
  }
}

/// Requests the values of all parameters, in their order.
package struct GetValues: Request {
  package static let method = "values"

  package init() {}

  package struct Response: Codable, Equatable, Sendable {
    package var values: [Float]

    package init(values: [Float]) { self.values = values }
  }
}

/// Sets parameters by identifier: all or, on an error, none.
package struct SetParameters: Request {
  package static let method = "setParameters"
  package typealias Response = Done
  package var values: [String: Float]

  package init(values: [String: Float]) { self.values = values }
}

/// Requests the presets of the unit, without the first `offset`.
package struct GetPresets: ListRequest {
  package static let method = "presets"
  package typealias Response = ItemList<Preset>
  package var offset: Int

  package init(offset: Int) { self.offset = offset }
}

/// Sets the parameters of a preset.
package struct UsePreset: Request {
  package static let method = "usePreset"
  package typealias Response = Done
  /// The preset's index in the list of ``GetPresets``.
  package var index: Int

  package init(index: Int) { self.index = index }
}
