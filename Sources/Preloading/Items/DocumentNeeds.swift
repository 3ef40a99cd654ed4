/// What has to be in the store before a document of a release may be seen: a page that is opened offline needs its files.
package enum DocumentNeeds: Hashable, Sendable {
    /// The files with these ``PreloadItem/label``s.
    case labels(Set<String>)
    /// All files of the release that are not ``PreloadGroup/lazy``.
    case release
}
