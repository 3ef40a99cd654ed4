// Every request to the web view's program has one.
@_exported import struct ViewCare.InterceptionMode
