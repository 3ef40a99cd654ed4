// Parts of the requests to the web view's program.
@_exported import struct CacheRules.Connectivity
@_exported import struct ViewCare.InterceptionMode
