import WebViewHosting

WebViewHost.run()
