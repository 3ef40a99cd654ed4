/// What did not hold, for which value.
struct BrokenClaim: Error, CustomStringConvertible {
    var description: String
}

/// States what must hold.
///
/// - Parameter values: Printed where it does not.
func claim(
    _ holds: Bool, _ text: StaticString, _ values: @autoclosure () -> [Any] = []
) throws(BrokenClaim) {
    guard !holds else { return }
    throw BrokenClaim(description: "\(text): \(values().map { String(reflecting: $0) }.joined(separator: ", "))")
}
