import DemoScreens
import SwiftUI

@main
struct LarderDemoApp: App {
    private let start = Result { try DemoModel() }

    var body: some Scene {
        WindowGroup { StartScreen(start) }
    }
}
