// The lines that README.md shows, and what they need around them. Tools/ compiles them with the trait, and runs them.
#if Proxy
// snippet.show
import LarderKit
// snippet.hide

func quickStart(cachesFolder: URL, shop: URL) async throws -> (Larder, Data, HTTPURLResponse, LarderProxy) {
    // snippet.show
    let larder = try Larder(LarderConfiguration(directory: cachesFolder))
    let (page, response) = try await larder.data(from: shop)  // what URLSession gives; 404 is in response.statusCode
    larder.connectivityOverride = .disconnected  // from here on, everything comes from the store
    let proxy = try await larder.startProxy()  // the same for a web view: proxy.port, proxy.credentials
    // snippet.hide
    return (larder, page, response, proxy)
}
#endif
