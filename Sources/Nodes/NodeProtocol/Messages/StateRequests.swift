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

/// Requests a part of the unit's state: bytes of its JSON, which no packet limits. The request with offset 0 saves the state; the
/// others read the rest of it.
package struct SaveStatePart: BytesRequest {
  package static let method = "saveStatePart"
  package var offset: Int

  package init(offset: Int) { self.offset = offset }

  package struct Response: BytesPart, Codable, Equatable, Sendable {
    /// Bytes of the state in Base64.
    package var data: String
    /// The length of the state in bytes.
    package var total: Int

    package init(data: String, total: Int) {
      self.data = data
      self.total = total
    }
  }
}

/// Sends a part of a saved state of the unit. The last part restores the state.
package struct LoadStatePart: Request {
  package static let method = "loadStatePart"
  package typealias Response = Done
  /// Bytes of the state's JSON in Base64.
  package var data: String
  /// The place of ``data`` in the state; 0 begins a state.
  package var offset: Int
  /// The length of the state in bytes; at most ``UnitState/longest``.
  package var total: Int

  package init(data: String, offset: Int, total: Int) {
    self.data = data
    self.offset = offset
    self.total = total
  }
}
