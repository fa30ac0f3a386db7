/// Returns the value of an expression, and converts the error that it throws.
///
/// - Parameters:
///   - expression: The expression.
///   - transform: Returns the error to throw instead.
package func mapError<Value, Failure: Error, NewFailure: Error>(
  _ expression: @autoclosure () throws(Failure) -> Value, _ transform: (Failure) -> NewFailure
) throws(NewFailure) -> Value {
  do throws(Failure) { return try expression() } catch { throw transform(error) }
}
