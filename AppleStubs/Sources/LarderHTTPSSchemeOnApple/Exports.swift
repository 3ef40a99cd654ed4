// What the module sees of the adapter, with the stand-ins.
@_exported import WKWebViewOnApple
