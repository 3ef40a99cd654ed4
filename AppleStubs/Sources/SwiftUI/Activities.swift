import AppleFoundation

// What comes to an app from outside of it, as far as the guides use it. The system's calls are not played.

extension View {
    // s:7SwiftUI4ViewPAAE12userActivity_8isActive_QrSS_SbySo06NSUserE0CctF | iOS 14.0, macOS 11.0 | nonisolated | D
    public func userActivity(
        _ activityType: String, isActive: Bool = true, _ update: @escaping (NSUserActivity) -> Void
    ) -> some View { self }
    // s:7SwiftUI4ViewPAAE22onContinueUserActivity_7performQrSS_ySo06NSUserG0CctF | iOS 14.0, macOS 11.0 | nonisolated | D
    public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void
    ) -> some View { self }
    // s:7SwiftUI4ViewPAAE9onOpenURL7performQry10Foundation0F0Vc_tF | iOS 14.0, macOS 11.0 | nonisolated | D
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}

// s:7SwiftUI14BackgroundTaskV | iOS 16.0, macOS 13.0 | nonisolated | D
public struct BackgroundTask<Request, Response> {
    /// Not in Apple's module.
    public let simulatedIdentifier: String
}

extension BackgroundTask where Request == Void, Response == Void {
    // s:7SwiftUI14BackgroundTaskV10appRefreshyACyytytGSSFZ | iOS 16.0, macOS none | nonisolated | D
    public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(simulatedIdentifier: identifier)
    }
}

extension Scene {
    // Its task is cancelled when the system gives no more time.
    // s:7SwiftUI5ScenePAAE14backgroundTask_6actionQrAA010BackgroundE0Vyqd__qd_0_G_qd_0_qd__YaYbcts8SendableRd__sAIRd_0_r0_lF | iOS 16.0, macOS 13.0 | nonisolated | D
    public func backgroundTask<Request: Sendable, Response: Sendable>(
        _ task: BackgroundTask<Request, Response>, action: @escaping @Sendable (Request) async -> Response
    ) -> some Scene { self }
}
