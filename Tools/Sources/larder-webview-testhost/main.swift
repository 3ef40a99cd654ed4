import CSchemeUnlock
import WebViewHosting

WebViewHost.run { register in
    larder_unlock_special_schemes(true)
    register()
    larder_unlock_special_schemes(false)
}
