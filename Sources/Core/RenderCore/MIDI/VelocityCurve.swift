import Glibc

/// A map from the velocities of notes to those with which they sound.
package struct VelocityCurve: Equatable, Sendable {
  /// The velocity for each velocity, 0…127. Only the first is 0.
  private let table: [UInt8]

  /// Every velocity remains.
  package static let linear = Self(exponent: 1)
  /// A light touch plays louder.
  package static let soft = Self(exponent: 0.6)
  /// A heavy touch is needed to play loudly.
  package static let hard = Self(exponent: 1.6)

  /// A power of the velocity, of which 127 remains.
  private init(exponent: Double) {
    table = (0...127).map { velocity in
      let value = 127 * pow(Double(velocity) / 127, exponent)
      return velocity == 0 ? 0 : UInt8(max(1, min(127, value.rounded())))
    }
  }

  /// Multiplies velocities.
  package init(factor: Double) {
    table = (0...127).map { velocity in
      velocity == 0 ? 0 : UInt8(max(1, min(127, (Double(velocity) * factor).rounded())))
    }
  }

  /// Creates a curve that is linear between points, and constant before the first and after the last.
  ///
  /// - Parameter points: At least one point, in ascending order of the velocity played; all values in 1…127.
  package init(points: [(played: UInt8, sounding: UInt8)]) {
    precondition(!points.isEmpty && zip(points, points.dropFirst()).allSatisfy { $0.0 < $1.0 })
    table = (0...127).map { velocity -> UInt8 in
      if velocity == 0 { return 0 }
      guard let next = points.firstIndex(where: { Int($0.played) >= velocity }) else {
        return points[points.count - 1].sounding
      }
      if next == 0 { return points[0].sounding }
      let (before, after) = (points[next - 1], points[next])
      let share =
        Double(velocity - Int(before.played)) / Double(Int(after.played) - Int(before.played))
      let value =
        Double(before.sounding) + share * (Double(after.sounding) - Double(before.sounding))
      return UInt8(max(1, min(127, value.rounded())))
    }
  }

  package subscript(velocity: UInt8) -> UInt8 { table[Int(velocity & 127)] }
}
