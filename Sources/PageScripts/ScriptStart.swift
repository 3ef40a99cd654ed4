/// How an injected script begins.
///
/// `document.open` and a document in place of a frame's first empty one have it run again in the same realm, after the
/// page: what the page has replaced by then would pass for the web view's own. The first run leaves a property on the
/// prototype of asynchronous generator functions. It is read by syntax alone, which a page can't change, and it can't
/// be removed. It is the same in every web view, so that no page knows one from another by it, and nothing is thrown
/// that a page would hear.
enum ScriptStart: String {
    /// ``UploadScript``.
    case bodies
    /// ``AddressScript``.
    case addresses

    static func once(_ start: ScriptStart, _ script: String) -> String {
        let started = "\(start.rawValue)Started"
        return """
            if (!(async function* () {}).\(started)) {
            Object.defineProperty(Object.getPrototypeOf(async function* () {}), '\(started)', {value: true});
            \(script)
            }
            """
    }
}
