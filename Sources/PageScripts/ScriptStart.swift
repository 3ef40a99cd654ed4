/// How an injected script begins.
///
/// `document.open` and a document in place of a frame's first empty one have it run again in the same realm, after the
/// page: what the page has replaced by then would pass for the web view's own. The first run leaves a property on the
/// prototype of asynchronous generator functions. It is read by syntax alone, which a page can't change, and it can't
/// be removed. It is the same in every web view, so that no page knows one from another by it, and nothing is thrown
/// that a page would hear.
enum ScriptStart {
    /// - Parameter name: Begins the name of the property.
    static func once(_ name: String, _ script: String) -> String {
        """
        if (!(async function* () {}).\(name)Started) {
        Object.defineProperty(Object.getPrototypeOf(async function* () {}), '\(name)Started', {value: true});
        \(script)
        }
        """
    }
}
