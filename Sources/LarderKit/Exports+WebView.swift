#if canImport(WebKit)
// Modes, options and events of web views; progress, and the hosts whose addresses are turned.
@_exported import struct PageScripts.AddressRewriting
@_exported import struct ViewCare.CapabilityReport
@_exported import enum ViewCare.InterceptedHosts
@_exported import struct ViewCare.InterceptionMode
@_exported import struct ViewCare.LoadProgress
@_exported import WKWebViewAdapter
#endif
