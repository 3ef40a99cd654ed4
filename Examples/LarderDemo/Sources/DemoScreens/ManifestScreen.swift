import DemoLogic
import SwiftUI

/// Preloads what a signed manifest lists.
struct ManifestScreen: View {
    @ObservedObject var model: DemoModel
    @State private var form = ManifestForm()

    var body: some View {
        List {
            Section("Manifest") {
                TextField("URL of the head", text: $form.address)
                TextField("Id", text: $form.id)
                TextField("Public key", text: $form.key)
                if let manifest = form.manifest {
                    Button("Preload") { Task { await model.preload(manifest) } }
                }
            }
            Section("Progress") { PreloadRow(progress: model.preload) }
        }
        .navigationTitle("Preload")
    }
}
