import HTTPTypes

/// Redirects to files of the machine that the client runs on.
enum LocalRedirect {
    /// Whether a response leads to a `file:` URL (RFC 8089).
    ///
    /// A redirect to a scheme that is not HTTP's is a network error for every fetch (Fetch §4.4, step 4), and a
    /// navigation may not go from the network to a file either (HTML, "create navigation params by fetching"). WebKitGTK
    /// 2.50 ends its web process when it meets one, so none is handed on.
    static func isMade(by head: HTTPResponse) -> Bool {
        guard head.status.kind == .redirection, head.status != .notModified else { return false }
        return head.headerFields[values: .location].contains { isFile($0) }
    }

    /// As the URL standard reads it: controls and spaces before it are left out, tabs and line ends everywhere.
    private static func isFile(_ location: String) -> Bool {
        let octets = location.utf8.drop { $0 <= 0x20 }.lazy.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let letters = octets.prefix(5).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return letters.elementsEqual("file:".utf8)
    }
}
