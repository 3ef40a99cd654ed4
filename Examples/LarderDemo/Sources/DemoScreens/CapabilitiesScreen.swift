import DemoLogic
import LarderKit
import SwiftUI

/// Measures what the modes carry on this system, and shares the result.
struct CapabilitiesScreen: View {
    let larder: Larder
    @State private var container = ContainerBox()
    @State private var measured: [MeasuredMode] = []

    var body: some View {
        List {
            Section("Modes") {
                Button("Measure") { Task { await measure() } }
                if !measured.isEmpty { ShareLink(item: MeasuredMode.json(measured)) }
            }
            ForEach(measured) { mode in
                Section(mode.summary) {
                    ForEach(lines(of: mode), id: \.self) { Text($0) }
                }
            }
            // The web view that is measured stands in it.
            ContainerView(box: container)
        }
        .navigationTitle("Capabilities")
    }

    private func lines(of mode: MeasuredMode) -> [String] {
        (mode.report?.results ?? []).map { $0.works ? $0.kind : "not \($0.kind): \($0.detail)" }
    }

    private func measure() async {
        guard let view = container.view else { return }
        measured = []
        for (name, mode) in [("proxy", .proxy), ("appScheme", .appScheme(hosts: []))] as [(String, WebViewMode)] {
            var result = MeasuredMode(mode: name, system: ProcessInfo.processInfo.operatingSystemVersionString)
            do {
                result.report = try await larder.capabilities(of: mode, in: view)
            } catch {
                result.problem = error.localizedDescription
            }
            measured.append(result)
        }
    }
}

/// The view that a representable has made.
@MainActor
final class ContainerBox {
    weak var view: PlatformView?

    nonisolated init() {}
}
