/// Looks whether a page in a web view shows nothing: a white screen. The page's own elements are asked, in a world of
/// scripts that the page has no part in; no picture is taken.
package struct EmptyPage: Hashable, Sendable {
    /// How long after the load a page may take to show something, such as scripts that draw it.
    package static let afterLoad = Duration.seconds(3)
    /// How long after its document began to come, where the load does not end.
    package static let afterCommit = Duration.seconds(10)

    /// The body of a function that returns `""` where something may be seen, or nobody looks; else whether the
    /// document's body has elements.
    ///
    /// Text counts, and boxes of what is replaced or drawn: images, canvases, films, frames, form fields, elements with
    /// a shadow tree, and backgrounds of the first 200 elements. So a canvas on which nothing is drawn counts as
    /// something.
    package static let script = """
        if (document.hidden || !innerWidth || !innerHeight || location.protocol === 'about:') return '';
        const body = document.body;
        if (!body) return 'nothing';
        const isBox = e => { const box = e.getBoundingClientRect(); return box.width > 1 && box.height > 1; };
        if (document.contentType !== 'text/html' && document.contentType !== 'application/xhtml+xml') return '';
        if (body.localName === 'frameset' || body.innerText.trim()) return '';
        const drawn = 'img,svg,canvas,video,audio[controls],iframe,embed,object,input,button,'
            + 'textarea,select,progress,meter,hr';
        if ([...body.querySelectorAll(drawn)].some(isBox)) return '';
        const all = [document.documentElement, body, ...body.querySelectorAll('*')];
        if (all.some(e => (e.shadowRoot || e.localName.includes('-')) && isBox(e))) return '';
        const hasImage = (e, index) => (index < 2 || isBox(e)) && getComputedStyle(e).backgroundImage !== 'none';
        if (all.slice(0, 200).some(hasImage)) return '';
        return body.childElementCount ? 'elements' : 'nothing';
        """

    /// Whether the body of a page that shows nothing has elements, as the script answers; `nil` for a page that shows
    /// something.
    package static func hasElements(_ answer: Any?) -> Bool? {
        switch answer as? String {
        case "elements": true
        case "nothing": false
        default: nil
        }
    }

    /// The page that showed nothing when it was looked at last.
    private var last: String?

    package init() {}

    /// A page was looked at.
    ///
    /// - Returns: Whether the same page showed nothing the last time, too; `nil` where it shows something.
    package mutating func looked(at url: String?, showsNothing: Bool) -> Bool? {
        defer { last = showsNothing ? url ?? "" : nil }
        return showsNothing ? last == url ?? "" : nil
    }
}
