import Foundation
import Preloading
import ViewCare

extension PreloadStateFiles {
    /// With the build: `Version 26.1 (Build 23B85)`.
    private static var system: String { ProcessInfo.processInfo.operatingSystemVersionString }

    /// The self-test's objections, if they are those of this build of the system.
    var knownModeFaults: [InterceptionMode: String] {
        let known = modeFaults(onBuild: Self.system).compactMap { name, fault in
            InterceptionMode(rawValue: name).map { ($0, fault) }
        }
        return Dictionary(known, uniquingKeysWith: { $1 })
    }

    func keep(_ faults: [InterceptionMode: String]) throws {
        let named = faults.map { ($0.key.rawValue, $0.value) }
        try keep(modeFaults: Dictionary(named, uniquingKeysWith: { $1 }), onBuild: Self.system)
    }
}
