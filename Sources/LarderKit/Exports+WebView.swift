#if canImport(WebKit)
// Modes, options and events of web views; progress, the hosts whose addresses are turned, and what scripts leave out.
@_exported import struct PageScripts.AddressRewriting
@_exported import enum PageScripts.PagePatch
@_exported import struct ViewCare.CapabilityReport
@_exported import enum ViewCare.InterceptedHosts
@_exported import struct ViewCare.InterceptionMode
@_exported import struct ViewCare.LoadProgress
@_exported import WKWebViewAdapter
#endif
