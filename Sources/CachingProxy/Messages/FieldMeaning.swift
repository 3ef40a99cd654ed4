#if Proxy
import HTTPTypes

/// The fields that say something about the message or the connection themselves. Every field of every message is asked
/// for it, so that it has to be quick.
enum FieldMeaning {
    case host, connection, contentLength, transferEncoding
}

extension HTTPField.Name {
    var meaning: FieldMeaning? {
        let name = canonicalName
        switch name.utf8.count {
        case 4: return name == "host" ? .host : nil
        case 10: return name == "connection" ? .connection : nil
        case 14: return name == "content-length" ? .contentLength : nil
        case 17: return name == "transfer-encoding" ? .transferEncoding : nil
        default: return nil
        }
    }
}
#endif
