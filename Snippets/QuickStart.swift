// The lines that README.md shows, and what they need around them.

import CacheEngine
import LarderKit

func openPage(cachesFolder: String, transport: any OriginTransport) async throws -> [UInt8] {
    // snippet.show
    let larder = try Larder(LarderConfiguration(directory: cachesFolder), transport: transport)
    let page = try await larder.data(for: "https://shop.example/")
    larder.connectivity = .disconnected  // from here on, everything comes from the store
    // snippet.hide
    return page
}
