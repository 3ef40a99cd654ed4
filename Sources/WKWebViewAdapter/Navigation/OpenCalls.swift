#if canImport(WebKit)
/// The calls to an app's delegate that are not over, or not answered yet.
struct OpenCalls {
    enum Method: Hashable {
        case action, actionWithPreferences, response, start, redirect, failProvisional, commit, finish, fail, challenge
        case deprecatedTLS, goTo, terminate, actionDownload, responseDownload
    }

    private struct Call {
        var method: Method
        weak var subject: AnyObject?
        var depth: Int
    }

    private var calls: [Call] = []

    /// How often a call has come that is not over.
    ///
    /// - Parameter subject: The object of a question; `nil` for a call that asks nothing.
    func depth(_ method: Method, _ subject: AnyObject? = nil) -> Int {
        calls.first { $0.method == method && $0.subject === subject }?.depth ?? 0
    }

    /// - Parameter depth: 0 when the call is over.
    mutating func set(_ depth: Int, _ method: Method, _ subject: AnyObject? = nil) {
        // A question about an object that is gone was never answered.
        let isQuestion = subject != nil
        calls.removeAll { $0.method == method && ($0.subject === subject || isQuestion && $0.subject == nil) }
        if depth > 0 { calls.append(Call(method: method, subject: subject, depth: depth)) }
    }
}
#endif
