/// Text that is put into a source; nothing is ever taken out.
package struct Insertion: Hashable, Sendable {
    /// Counted in bytes from the beginning of the source; the text comes before this byte.
    package var offset: Int
    package var text: String

    package init(at offset: Int, _ text: String = NamedHosts.insertion) {
        (self.offset, self.text) = (offset, text)
    }
}
