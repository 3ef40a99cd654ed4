#if canImport(WebKit)

/// Lets `Larder.install(in:through:)` answer `https` itself.
///
/// WebKit refuses a handler for a scheme that it handles. For the moment of the installation this replaces the code of
/// `+[WKWebView handlesURLScheme:]`, which is public, with code of ours, and puts it back afterwards. Apple documents
/// neither the replacement nor what follows from it; whether App Review accepts it is not known. Nothing in the other
/// products does such a thing. Type-checked against stand-ins; not yet run on a device.
public enum HTTPSScheme {
    /// The permission to install `WebViewMode.httpsScheme`.
    @MainActor
    public static var permission: HTTPSSchemePermission {
        HTTPSSchemePermission { register in
            guard HandledSchemes.leaveOutHTTPS() else { return false }
            defer { HandledSchemes.restore() }
            register()
            return true
        }
    }
}
#endif
