import SwiftUI

/// The first screen, or why there is none.
public struct StartScreen: View {
    private let start: Result<DemoModel, any Error>

    public init(_ start: Result<DemoModel, any Error>) { self.start = start }

    public var body: some View {
        switch start {
        case .success(let model): HomeScreen(model: model)
        case .failure(let error): Text("The store can't be opened: \(String(describing: error))")
        }
    }
}
