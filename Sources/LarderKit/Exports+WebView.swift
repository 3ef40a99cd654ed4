#if canImport(WebKit)
// Modes, options and events of web views; progress, and the hosts whose addresses are turned.
@_exported import WKWebViewAdapter
@_exported import struct Fetching.CookiePolicy
@_exported import struct Interception.AddressRewriting
@_exported import struct Interception.CapabilityReport
@_exported import enum Interception.ErrorPage
@_exported import enum Interception.InterceptedHosts
@_exported import struct Interception.LoadProgress
@_exported import struct Interception.WebViewProxyOptions
#endif
