import CPortativeRender
import Glibc
import LocalSystem

/// A `portative_render_error`.
final class ErrorHandle {
  private(set) var code: CInt = 0
  private(set) var message: UnsafeMutablePointer<CChar>

  init() { message = strdup("")! }

  deinit { free(message) }

  func set(_ failure: Failure) {
    code = failure.kind.rawValue
    free(message)
    message = strdup(failure.message)!
  }
}

/// Calls `body`, and stores the error that it throws.
///
/// - Parameter error: A `portative_render_error`; may be `nil`.
/// - Returns: `nil` if `body` has thrown an error.
func attempt<Result>(_ error: OpaquePointer?, _ body: () throws -> Result) -> Result? {
  do {
    return try body()
  } catch let failure {
    error?.object(ErrorHandle.self).set(Failure(failure))
    return nil
  }
}

@_cdecl("portative_render_error_create")
public func portative_render_error_create() -> OpaquePointer! {
  OpaquePointer(retaining: ErrorHandle())
}

@_cdecl("portative_render_error_free")
public func portative_render_error_free(_ error: OpaquePointer!) { release(error) }

@_cdecl("portative_render_error_code")
public func portative_render_error_code(_ error: OpaquePointer!) -> CInt {
  error.object(ErrorHandle.self).code
}

@_cdecl("portative_render_error_message")
public func portative_render_error_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  UnsafePointer(error.object(ErrorHandle.self).message)
}

@_cdecl("portative_render_version")
public func portative_render_version() -> UnsafePointer<CChar>! {
  ForkGate.pass { versionText }
}

@_cdecl("portative_render_free_string")
public func portative_render_free_string(_ string: UnsafeMutablePointer<CChar>!) { free(string) }
