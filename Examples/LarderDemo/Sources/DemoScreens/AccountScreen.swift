import SwiftUI

/// Who uses the app: what is stored for one account answers no other one.
struct AccountScreen: View {
    @ObservedObject var model: DemoModel
    @State private var name = ""

    var body: some View {
        List {
            Section(model.account.isEmpty ? "Nobody is signed in" : model.account) {
                TextField("Account", text: $name)
                Button("Use") { model.use(account: name) }
                Button("Sign out and remove what is stored for it") { Task { await model.logOut() } }
            }
        }
        .navigationTitle("Account")
    }
}
