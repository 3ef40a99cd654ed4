#if Proxy
import HTTPTypes

/// What `Connection` says about the connection itself, RFC 9110 §7.6.1.
struct ConnectionOptions {
    private(set) var closes = false
    private(set) var keepsAlive = false
    private(set) var upgrades = false

    init(_ fields: HTTPFields) {
        for field in fields where field.name.meaning == .connection {
            for option in field.value.utf8.split(separator: 0x2C) {
                switch String(Substring(option)).trimmingWhitespace.lowercased() {
                case "close": closes = true
                case "keep-alive": keepsAlive = true
                case "upgrade": upgrades = true
                default: break
                }
            }
        }
    }
}

extension String {
    /// Without spaces and tabs at both ends.
    var trimmingWhitespace: String {
        var view = utf8[...]
        while let last = view.last, Octet.isWhitespace(last) { view.removeLast() }
        while let first = view.first, Octet.isWhitespace(first) { view.removeFirst() }
        return String(Substring(view))
    }
}
#endif
