/// Addresses that got past the script that turns them, in the mode appScheme.
package struct AddressReport: Hashable, Sendable, Codable {
    /// Addresses that were turned only when they stood in the document.
    package var repaired = 0
    /// Requests for the page's own host that went past Larder.
    package var escaped = 0
    /// Faults of the scripts.
    package var faults = 0
    /// Documents on which nothing is turned any more.
    package var fallbacks = 0

    package init(repaired: Int = 0, escaped: Int = 0, faults: Int = 0, fallbacks: Int = 0) {
        (self.repaired, self.escaped) = (repaired, escaped)
        (self.faults, self.fallbacks) = (faults, fallbacks)
    }
}
