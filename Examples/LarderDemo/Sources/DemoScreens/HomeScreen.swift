import DemoLogic
import SwiftUI

/// The list of pages, and what concerns them all.
struct HomeScreen: View {
    @ObservedObject var model: DemoModel

    var body: some View {
        NavigationStack {
            List {
                Section("Pages") {
                    ForEach(model.pages) { page in
                        NavigationLink(page.address) { PageSetupScreen(model: model, page: page) }
                    }
                    NavigationLink("Another page") { PageSetupScreen(model: model, page: DemoPage("")) }
                }
                Section("Cache") {
                    Toggle("Offline", isOn: $model.isOffline)
                    NavigationLink("Visits") { InspectorScreen(model: model) }
                    NavigationLink("Preload a manifest") { ManifestScreen(model: model) }
                    NavigationLink("Capabilities") { CapabilitiesScreen(larder: model.larder) }
                    NavigationLink("Account") { AccountScreen(model: model) }
                    Button("Clear all") { Task { await model.clear() } }
                }
                Section("Events") {
                    ForEach(model.lines.indices, id: \.self) { Text(model.lines[$0]) }
                }
            }
            .navigationTitle("Larder")
        }
        .task { await model.followReports() }
        .task { await model.followPreloads() }
    }
}
