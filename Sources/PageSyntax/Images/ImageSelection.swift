/// The images of a page that a web view loads, of all that its tags name: one candidate of each `srcset`, one source of
/// each `picture`, HTML §4.8.4.
package struct ImageSelection {
    /// `nil` where it is not known: then all are loaded.
    private let screen: PageScreen?
    /// Where the tag that was met last begins, and its URLs that are loaded; `nil` for all.
    private var last: (offset: Int, loaded: Set<String>?)?
    /// The first source of the picture that is read, and whether one of them is loaded for certain.
    private var picture: (offset: Int, isDecided: Bool)?
    /// The tag that was met last ends a picture.
    private var isAtEnd = false

    /// Every WebKit draws these.
    private static let formats: Set<String> = [
        "image/apng", "image/avif", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp",
    ]

    package init(for screen: PageScreen?) {
        self.screen = screen
    }

    /// - Returns: Whether the reference is loaded, and the choice that it belongs to: of those with one choice a web
    ///   view loads one.
    package mutating func meet(_ reference: PageReference, _ tag: HTMLTag) -> (isLoaded: Bool, choice: Int?) {
        guard tag.namespace == .html else { return (true, nil) }
        let isChoice = tag.attribute(.srcset) != nil || tag.attribute(.imagesrcset) != nil
        switch (reference.kind, tag.name) {
        case (.image, .source), (.image, .img), (.image, .image), (.preload, .link): break
        default: return (true, nil)
        }
        if last?.offset != tag.offset { begin(tag) }
        let isInPicture = tag.name != .link
        return (
            last?.loaded?.contains(reference.url) ?? true,
            (isInPicture ? picture?.offset : nil) ?? (isChoice ? tag.offset : nil)
        )
    }

    private mutating func begin(_ tag: HTMLTag) {
        if isAtEnd { picture = nil }
        if tag.name == .source, picture == nil { picture = (tag.offset, false) }
        isAtEnd = tag.name != .source && tag.name != .link
        last = (tag.offset, nil)
        var condition: Bool? = true
        if let media = tag.value(.media), tag.name != .img { condition = MediaQuery.matches(media, screen) }
        if let type = tag.value(.type)?.asciiTrimmed.asciiLowercased, tag.name == .source, !type.isEmpty,
            condition != false
        {
            // Other formats depend on the system.
            condition = !type.hasPrefix("image/") ? false : Self.formats.contains(type) ? condition : nil
        }
        guard condition != false, tag.name == .link || picture?.isDecided != true else {
            last?.loaded = []
            return
        }
        let srcset = tag.value(tag.name == .link ? .imagesrcset : .srcset)
        // A link without candidates has its address.
        guard let screen, srcset != nil || tag.name != .link else { return }
        let loaded = Srcset.chosen(
            srcset ?? "", sizes: tag.value(tag.name == .link ? .imagesizes : .sizes),
            source: tag.name == .source ? nil : tag.value(tag.name == .link ? .href : .src)?.asciiTrimmed, on: screen)
        if tag.name == .source, condition == true, !loaded.isEmpty { picture?.isDecided = true }
        last?.loaded = loaded
    }
}
