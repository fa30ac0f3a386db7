import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol

extension AudioHost {
  /// Requests the report of a node.
  ///
  /// - Throws: ``Failure`` with the remedy if the node does not answer.
  func report(of node: PublishedNode) throws(Failure) -> NodeReport {
    do throws(ConnectionError) {
      return try report(ofNode: node.name)
    } catch {
      let name = "the node '\(node.name)' (process \(node.pid))"
      if error == .connectionLost(.noAnswer) {
        throw Failure(
          .failed,
          "\(name) does not answer: if it goes on so, end it with 'kill -9 \(node.pid)'")
      }
      throw Failure(.failed, "\(name) does not say how it is: \(error)")
    }
  }
}
