import DemoLogic
import SwiftUI

/// Every exchange of the last visits, by web view and visit.
struct InspectorScreen: View {
    @ObservedObject var model: DemoModel

    var body: some View {
        List {
            ForEach(model.log.visits) { visit in
                Section("\(visit.id): \(visit.document ?? "no document")") {
                    Text(visit.summary)
                    ForEach(visit.rows) { row in
                        VStack {
                            Text(row.url)
                            Text("\(row.decision); \(row.numbers)")
                            Text(row.cacheStatus)
                        }
                    }
                }
            }
        }
        .navigationTitle("Visits")
    }
}
