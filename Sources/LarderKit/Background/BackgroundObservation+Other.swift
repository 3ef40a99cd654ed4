#if !canImport(UIKit) || targetEnvironment(macCatalyst)
/// Tells a ``BackgroundSuspension`` when the app enters the background: this system does not suspend apps.
final class BackgroundObservation: Sendable {
    static let isPossible = false
    static let assertion: BackgroundSuspension.Assertion = { _ in }

    init(_ suspension: BackgroundSuspension) {}
}
#endif
