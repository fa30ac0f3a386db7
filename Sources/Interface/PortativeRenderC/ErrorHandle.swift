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

@c @implementation
public func portative_render_error_create() -> OpaquePointer! {
  OpaquePointer(retaining: ErrorHandle())
}

@c @implementation
public func portative_render_error_free(_ error: OpaquePointer!) { release(error) }

@c @implementation
public func portative_render_error_code(_ error: OpaquePointer!) -> CInt {
  error.object(ErrorHandle.self).code
}

@c @implementation
public func portative_render_error_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  UnsafePointer(error.object(ErrorHandle.self).message)
}

@c @implementation
public func portative_render_version() -> UnsafePointer<CChar>! {
  ForkGate.pass { versionText }
}

@c @implementation
public func portative_render_free_string(_ string: UnsafeMutablePointer<CChar>!) { free(string) }
