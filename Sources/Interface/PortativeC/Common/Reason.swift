import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore

/// The reason why a function of the library failed, with its code for programs.
struct Reason: Error, CustomStringConvertible {
  var code: String
  var message: String
  /// The host that has the port.
  var holder: Peer?

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  var description: String { message }

  /// The error that a unit throws: of the protocol for "unsupportedFormat", otherwise this one.
  var refusal: any Error {
    code == "unsupportedFormat" ? ProtocolError(.unsupportedFormat, message) : self
  }

  static func badArgument(_ message: String) -> Reason { Reason("badArgument", message) }

  init(_ error: any Error) {
    if let reason = error as? Reason {
      self = reason
      return
    }
    self.init(Self.code(of: error), "\(error)")
    if case ConnectionError.refused(let refusal) = error { holder = refusal.data?.holder }
  }

  private static func code(of error: any Error) -> String {
    switch error {
    case let error as ConnectionError: code(of: error)
    case let error as ServerError: code(of: error)
    case let error as NodeError: code(of: error)
    case let error as ProtocolError: error.code.rawValue
    case is FormatError: "unsupportedFormat"
    case is ParameterError: "badParameter"
    case is ManifestError, is PublishError: "badManifest"
    case is DirectoryError: "badDirectory"
    case is RealtimePriorityError: "notPermitted"
    case is DescriptionError, is FourCharacterCodeError: "badArgument"
    default: "systemError"
    }
  }

  private static func code(of error: ConnectionError) -> String {
    switch error {
    case .connectionLost, .invalidMessage: "connectionLost"
    case .refused(let refusal): refusal.code.rawValue
    case .format: "unsupportedFormat"
    case .notRunning: "notRunning"
    case .launch: "launchFailed"
    case .system: "systemError"
    case .alreadyInitialized: "badSequence"
    }
  }

  private static func code(of error: ServerError) -> String {
    switch error {
    case .node(let error): code(of: error)
    case .manifest, .publish: "badManifest"
    case .system: "systemError"
    }
  }

  private static func code(of error: NodeError) -> String {
    switch error {
    case .badName, .socketPathTooLong: "badArgument"
    case .nodeIsRunning: "nodeIsRunning"
    case .publishedTwice: "publishedTwice"
    case .directory, .cannotWrite: "badDirectory"
    case .closed: "badSequence"
    }
  }
}
