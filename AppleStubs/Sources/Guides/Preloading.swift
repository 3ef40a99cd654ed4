// The lines of docs/guides/preloading.md.
import LarderKit
import SwiftUI

@MainActor
final class PreloadModel: ObservableObject {
    @Published private(set) var count = 0
    @Published private(set) var ready = 0
    @Published private(set) var note = ""
    private var following: Task<Void, Never>?

    /// - Parameter set: A manifest's id, a preload page's address, or the `set:` that was given.
    init(_ larder: Larder, set: String) {
        let events = larder.preloadEvents  // what happens from here on: make it before `preload`
        following = Task { [weak self] in
            for await event in events { self?.take(event, set) }
        }
    }

    deinit { following?.cancel() }

    private func take(_ event: PreloadEvent, _ wanted: String) {
        switch event {
        case .queued(let set, let count) where set == wanted: (self.count, ready, note) = (count, 0, "")
        case .verified(_, let set, _, _) where set == wanted: ready += 1
        case .refused(let item, let set, let refusal) where set == wanted: note = "\(item.url): \(refusal.description)"
        case .waiting(_, let set, let wait) where set == wanted: note = "waits: \(wait.reason.rawValue)"
        default: break
        }
    }
}

struct PreloadView: View {
    @ObservedObject var model: PreloadModel

    var body: some View {
        VStack {
            ProgressView(value: Double(min(model.ready, model.count)), total: Double(max(model.count, 1)))
            Text("\(model.ready) of \(model.count) files \(model.note)")
        }
    }
}

@MainActor
func preloading(_ larder: Larder, _ manifest: LarderManifest) async throws {
    let model = PreloadModel(larder, set: manifest.id)
    let outcome = try await larder.preload(manifest: manifest)
    if !outcome.isReady { print(outcome.summary.waiting, outcome.summary.refused) }
    withExtendedLifetime(model) {}
}
