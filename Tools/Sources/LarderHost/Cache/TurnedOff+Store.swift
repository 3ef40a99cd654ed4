import Preloading
import ViewCare

extension TurnedOff {
    /// As manifests say that were preloaded into a store, with the state in its own place.
    package init(inStore directory: String) { self.init(PreloadStateFiles(folder: directory + "/preload").turnedOff) }
}
