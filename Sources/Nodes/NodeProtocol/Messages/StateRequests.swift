package import RenderCore

/// Requests the files that the unit plays and that a host can replace.
package struct GetFiles: Request {
  package static let method = "files"

  package init() {}

  package struct Response: Codable, Equatable, Sendable {
    package var files: [UnitFile]

    package init(files: [UnitFile]) { self.files = files }
  }
}

/// Replaces a file that the unit plays. The unit's other settings remain.
package struct SetFile: Request {
  package static let method = "setFile"
  package typealias Response = Done
  package var identifier: String
  package var file: FileReference

  package init(identifier: String, file: FileReference) {
    self.identifier = identifier
    self.file = file
  }
}

/// Requests the unit's state.
package struct SaveState: Request {
  package static let method = "saveState"

  package init() {}

  package struct Response: Codable, Equatable, Sendable {
    package var state: UnitState

    package init(state: UnitState) { self.state = state }
  }
}

/// Restores a saved state of the unit.
package struct RestoreState: Request {
  package static let method = "restoreState"
  package typealias Response = Done
  package var state: UnitState

  package init(state: UnitState) { self.state = state }
}
