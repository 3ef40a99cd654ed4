import PageSyntax

/// Which references are turned.
package struct RewrittenKinds: Hashable, Sendable {
    /// Film and sound; some players load nothing from a scheme of an app's own.
    package var media: Bool

    package init(media: Bool = true) {
        self.media = media
    }

    /// Whether a reference of this kind is loaded by the page itself.
    ///
    /// Where the page may go stays as it is: links, forms, frames, `refresh`. So does what loads nothing, and what opens
    /// a connection only.
    package func contains(_ kind: PageReference.Kind) -> Bool {
        switch kind {
        case .classicScript, .moduleScript, .style, .image, .textTrack, .embedded, .icon, .webManifest, .preload,
            .modulePreload, .prefetch, .base, .svg, .styleImport, .font, .cssImage, .cssOther, .moduleImport,
            .dynamicImport:
            true
        case .audio, .video: media
        case .frame, .inlineDocument, .preconnect, .dnsPrefetch, .prerender, .otherLink, .navigation, .formAction,
            .refresh, .ping, .citation, .importMeta, .securityPolicy, .integrity, .importMap:
            false
        }
    }
}
