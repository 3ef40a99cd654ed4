import DemoLogic
import LarderKit
import SwiftUI

/// Measures what the mode appScheme carries on this system, and shares the result.
struct CapabilitiesScreen: View {
    @State private var container = ContainerBox()
    @State private var measured: MeasuredMode?
    @State private var problem = ""

    var body: some View {
        List {
            Section(measured?.summary ?? "Not measured yet") {
                Button("Measure") { Task { await measure() } }
                if let measured { ShareLink(item: measured.json) }
                Text(problem)
            }
            if let results = measured?.report.results {
                Section("Kinds") {
                    ForEach(results.indices, id: \.self) { index in
                        Text(
                            results[index].works
                                ? results[index].kind : "not \(results[index].kind): \(results[index].detail)")
                    }
                }
            }
            // The web view that is measured stands in it.
            ContainerView(box: container)
        }
        .navigationTitle("Capabilities")
    }

    private func measure() async {
        guard let view = container.view else { return }
        do {
            let check = try CapabilityCheck(.appScheme(hosts: []), in: view)
            measured = MeasuredMode(
                mode: "appScheme", system: ProcessInfo.processInfo.operatingSystemVersionString,
                report: try await check.report)
            problem = ""
        } catch {
            problem = "\(error)"
        }
    }
}

/// The view that a representable has made.
@MainActor
final class ContainerBox {
    weak var view: PlatformView?

    nonisolated init() {}
}
