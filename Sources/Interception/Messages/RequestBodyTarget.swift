/// The request that a body belongs to. A script that learns the identity of another page's body can't have it sent
/// elsewhere.
public struct RequestBodyTarget: Hashable, Sendable {
    let method: String
    let url: String

    /// - Parameter url: Absolute; without its fragment, which requests do not carry, it must be that of the scheme
    ///   task.
    public init(method: String, url: String) {
        self.method = method
        self.url = url.utf8.firstIndex(of: 0x23).map { String(url[..<$0]) } ?? url
    }

    /// Octet by octet; `String` also equates canonically equivalent texts.
    public static func == (left: Self, right: Self) -> Bool {
        left.method.utf8.elementsEqual(right.method.utf8) && left.url.utf8.elementsEqual(right.url.utf8)
    }
}
