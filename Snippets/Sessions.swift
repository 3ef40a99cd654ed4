// The lines that README.md shows of the app's own sessions. Tools/ compiles them.
#if Proxy
import LarderKit

func sessions(larder: Larder, api: URL) async throws -> Data {
    // snippet.show
    let configuration = URLSessionConfiguration.default
    larder.register(in: configuration)  // before the session is made
    let session = URLSession(configuration: configuration)
    let (data, _) = try await session.data(from: api)  // a hit if a page, or `larder.data(from:)`, has fetched it
    // snippet.hide
    return data
}
#endif
