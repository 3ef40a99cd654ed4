#if canImport(Network)
import Foundation

/// Folders as Apple's systems have them.
struct SystemFolders: StoreFolder.Attributes {
    var caches: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first.map(Self.ofThisApp)
    }

    func container(ofAppGroup group: String) -> URL? {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    }

    func make(_ folder: URL) throws {
        // Nobody but the app's user may look in (threat model, "On disk").
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func excludeFromBackup(_ folder: URL) throws {
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
    }

    func protect(_ folder: URL) throws {
        try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder.path)
    }
}
#endif
