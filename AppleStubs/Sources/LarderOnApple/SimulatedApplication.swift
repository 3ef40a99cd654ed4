import UIKit

/// Says where the app is, for tests: those that import Swift Testing can't import UIKit, because the compiler looks for a
/// module that the two have together.
@MainActor
enum SimulatedApplication {
    /// - Parameter state: The number of a `UIApplication.State`; `nil` in an extension, which has no application.
    static func set(_ state: Int?) {
        UIApplication.isSimulated = state != nil
        UIApplication.shared.simulatedState = state.flatMap { UIApplication.State(rawValue: $0) } ?? .active
    }
}
