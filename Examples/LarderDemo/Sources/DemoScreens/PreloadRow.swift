import DemoLogic
import SwiftUI

/// How far a preload has come.
struct PreloadRow: View {
    let progress: PreloadProgress

    var body: some View {
        VStack {
            ProgressView(value: progress.fraction)
            Text(progress.summary)
        }
    }
}
