// The lines that README.md shows of fetching ahead of need. Tools/ compiles them.
#if Proxy
import LarderKit

func preloading(larder: Larder, site: URL, product: URL, key: String, nextKey: String) async throws {
    // snippet.show
    let head = site.appendingPathComponent("larder/head.json")
    let manifest = LarderManifest(url: head, id: "shop", keys: [key, nextKey])  // of `larder manifest keygen`
    let events = larder.preloadEvents
    Task { for await event in events { print(event) } }  // what was fetched, is waiting or was refused, and why
    let outcome = try await larder.preload(manifest: manifest)  // at start; from then on, only what changed
    print(outcome.isReady, outcome.summary.verified, outcome.summary.transferred)
    larder.willProbablyOpen(product)  // as its link comes into view
    // snippet.hide
}
#endif
