#if Proxy
/// Which way a message goes; it decides what a recipient may forgive.
///
/// RFC 9112 wants a server to refuse what a proxy may repair in a response: whitespace before the colon (§5.1) and
/// folded lines (§5.2). A single LF as the end of a line (§2.2) is allowed in both; we accept it only in heads of
/// responses, because no client needs it and requests have been smuggled with it.
package enum MessageKind: Hashable, Sendable {
    case request
    case response
}
#endif
