#if canImport(WebKit)
// The modes of web views, of which this brings one.
@_exported import WKWebViewAdapter
#endif
