/// Line icons and small vector pictures.
enum Icon {
    static let search = icon("<circle cx='11' cy='11' r='6.5'/><path d='m16 16 4.5 4.5'/>")
    static let bag = icon("<path d='M5 8h14l1 12H4L5 8Z'/><path d='M8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5'/>")
    static let shop = icon("<path d='M4 10.5 12 4l8 6.5V20H4v-9.5Z'/><path d='M9.5 20v-6h5v6'/>")
    static let book = icon(
        "<path d='M12 6.5C10 5 7 4.5 4 5v13.5c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5Z'/>"
            + "<path d='M12 6.5V20'/>"
    )
    static let camera = icon(
        "<path d='M4 8h3.5L9 5.5h6L16.5 8H20v11H4V8Z'/><circle cx='12' cy='13.2' r='3.3'/>")

    /// Lies over a film at rest.
    static let play = """
        <svg viewBox="0 0 56 56" aria-hidden="true"><circle cx="28" cy="28" r="28" fill="#0f1511" fill-opacity=".55"/>\
        <path d="M23 18.5v19l15-9.5z" fill="#fff"/></svg>
        """

    /// The shop's mark: a jar with a leaf.
    static let logo = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="10" fill="#1e6b3c"/>
        <path d="M10 8h12v3H10z" fill="#f2b13c"/>
        <path d="M9 12.5h14V22a4 4 0 0 1-4 4h-6a4 4 0 0 1-4-4z" fill="#f6f4ed"/>
        <path d="M12 21.5c0-4.5 3-6.5 8-6.5 0 5-2.5 7.5-6.2 7.5L12.600 24" fill="#5fa463"/>
        </svg>

        """

    /// `/static/today.svg`, what `/r/today` leads to.
    static let today = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">
        <circle cx="18" cy="18" r="18" fill="#f2b13c"/>
        <g fill="none" stroke="#3a2806" stroke-width="2" stroke-linejoin="round" stroke-linecap="round">
        <path d="M7.5 12.5h12v11h-12zM19.5 16h5l4 4v3.5h-9z"/></g>
        <g fill="#fff6e0" stroke="#3a2806" stroke-width="2"><circle cx="13" cy="24.5" r="2.5"/>
        <circle cx="23.5" cy="24.5" r="2.5"/></g>
        </svg>

        """

    private static func icon(_ paths: String) -> String {
        "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">\(paths.replacing("'", with: "\""))</svg>"
    }
}
