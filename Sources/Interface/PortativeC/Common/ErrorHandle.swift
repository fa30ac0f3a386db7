import CPortative
import LocalSystem
import NodeProtocol

/// A `portative_error`.
final class ErrorHandle {
  private(set) var reason: Reason?
  private var memory = CMemory()
  private(set) var code: UnsafePointer<CChar>
  private(set) var message: UnsafePointer<CChar>
  private(set) var holder: UnsafePointer<CChar>?

  init() {
    code = memory.string("")
    message = code
  }

  func set(_ reason: Reason) {
    self.reason = reason
    memory = CMemory()
    code = memory.string(reason.code)
    // It may quote a node, and programs write it to terminals.
    message = memory.string(reason.message.printableLines)
    holder = memory.string(orNil: reason.holder?.name)
  }
}

/// Calls `body`, and stores the error that it throws.
///
/// - Parameter error: A `portative_error`; may be `nil`.
/// - Returns: `nil` if `body` has thrown an error.
func attempt<Result>(_ error: OpaquePointer?, _ body: () throws -> Result) -> Result? {
  do {
    return try body()
  } catch let failure {
    error?.object(ErrorHandle.self).set(Reason(failure))
    return nil
  }
}

/// Calls `body`, and stores the error that it throws.
///
/// - Returns: The status of a C function: 0, or −1 if `body` has thrown an error.
func status(_ error: OpaquePointer?, _ body: () throws -> Void) -> CInt {
  attempt(error, body) == nil ? -1 : 0
}

@_cdecl("portative_error_create")
public func portative_error_create() -> OpaquePointer! { OpaquePointer(retaining: ErrorHandle()) }

@_cdecl("portative_error_free")
public func portative_error_free(_ error: OpaquePointer!) { release(error) }

@_cdecl("portative_error_code")
public func portative_error_code(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  error.object(ErrorHandle.self).code
}

@_cdecl("portative_error_message")
public func portative_error_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  error.object(ErrorHandle.self).message
}

@_cdecl("portative_error_holder")
public func portative_error_holder(
  _ error: OpaquePointer!, _ processID: UnsafeMutablePointer<Int32>!
) -> UnsafePointer<CChar>! {
  let error = error.object(ErrorHandle.self)
  if let holder = error.reason?.holder { processID?.pointee = holder.processID }
  return error.holder
}

@_cdecl("portative_error_set")
public func portative_error_set(
  _ error: OpaquePointer!, _ code: UnsafePointer<CChar>!, _ message: UnsafePointer<CChar>!
) {
  error?.object(ErrorHandle.self).set(Reason(String(cString: code), String(cString: message)))
}

extension ErrorHandle {
  /// Passes the error to a callback.
  func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(OpaquePointer(Unmanaged.passUnretained(self).toOpaque())) }
  }
}
