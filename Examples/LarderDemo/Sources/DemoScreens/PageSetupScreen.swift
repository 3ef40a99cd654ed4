import DemoLogic
import SwiftUI

/// The address and the mode of one page, and the ways to open it.
struct PageSetupScreen: View {
    @ObservedObject var model: DemoModel
    @State var page: DemoPage

    var body: some View {
        List {
            Section("Page") {
                TextField("shop.example", text: $page.address)
                Picker("Mode", selection: $page.mode) {
                    ForEach(PageMode.allCases) { mode in Text(mode.title).tag(mode) }
                }
                Button("Save") { model.save(page) }
                Button("Remove") { model.remove(page) }
            }
            if let url = page.url {
                Section("Open") {
                    NavigationLink("In SwiftUI") { PageScreen(model: model, page: page) }
                    UIKitPageLink(model: model, page: page)
                }
                Section("Ahead of need") {
                    Button("Preload the document") { Task { await model.preload(url) } }
                    PreloadRow(progress: model.preload)
                }
            }
        }
        .navigationTitle("Page")
    }
}
