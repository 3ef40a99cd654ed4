// The lines of docs/guides/extensions.md.
import BackgroundTasks
import LarderKit
import SwiftUI

let group = "group.com.example.shop"

func inTheApp() throws -> Larder {
    let larder = try Larder(appGroup: group)
    return larder
}

/// In the extension.
struct SharedPages: Sendable {
    private let larder: Larder

    init() async throws {
        var settings = try LarderConfiguration.forApp(inAppGroup: group)
        settings.memoryBudget = .mebibytes(1)  // 16 MiB unless set
        larder = try Larder(settings)
        larder.account = UserDefaults(suiteName: group)?.string(forKey: "account")
        try await larder.suspend()  // from here on the store is open during tasks only
    }

    func page(_ url: URL) async throws -> Data {
        try await larder.duringBackgroundTask {
            let (data, response) = try await larder.data(from: url, upTo: .mebibytes(2))  // 64 MiB unless given
            guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
            return data
        }
    }
}

/// In an app with a delegate.
@MainActor
func registerRefresh(_ larder: Larder, _ manifest: LarderManifest) {
    _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: ShopApp.refresh, using: nil) { @Sendable task in
        nonisolated(unsafe) let task = task  // the system lets it be completed on any thread
        let work = Task {
            await ShopApp.askForRefresh()
            if larder.account == nil { larder.account = UserDefaults(suiteName: group)?.string(forKey: "account") }
            let outcome = try? await larder.duringBackgroundTask { try await larder.preload(manifest: manifest) }
            task.setTaskCompleted(success: outcome?.isReady == true)
        }
        task.expirationHandler = { work.cancel() }
    }
}

struct ShopApp: App {
    static let refresh = "com.example.shop.refresh"  // in Info.plist, BGTaskSchedulerPermittedIdentifiers
    let larder: Larder?
    let manifest = LarderManifest(url: URL(string: "https://shop.example/larder/head.json")!, id: "shop", keys: [])

    init() {
        larder = try? Larder(appGroup: group)
        let larder = larder
        try? Larder.registerMaintenance(as: "com.example.shop.maintenance") { larder }
        Self.askForRefresh()
    }

    var body: some Scene {
        WindowGroup { Text("Shop") }
            .backgroundTask(.appRefresh(Self.refresh)) {
                await Self.askForRefresh()  // a request counts once
                await larder?.duringBackgroundTask { _ = try? await larder?.preload(manifest: manifest) }
            }
    }

    static func askForRefresh() {
        let request = BGAppRefreshTaskRequest(identifier: refresh)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 4 * 3_600)
        try? BGTaskScheduler.shared.submit(request)
    }
}
