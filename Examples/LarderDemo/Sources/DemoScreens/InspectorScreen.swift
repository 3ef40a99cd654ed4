import DemoLogic
import SwiftUI

/// Every exchange of the last visit.
struct InspectorScreen: View {
    @ObservedObject var model: DemoModel

    var body: some View {
        List {
            Section(model.visit.summary) {
                ForEach(model.visit.rows) { row in
                    VStack {
                        Text(row.url)
                        Text("\(row.decision); \(row.numbers)")
                        Text(row.cacheStatus)
                    }
                }
            }
        }
        .navigationTitle("Last visit")
    }
}
