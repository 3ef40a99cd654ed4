import Foundation

/// The folder of a store that the app has not named.
enum StoreFolder {
    /// Sets a folder's attributes in the system. A failure is no reason to go without a store.
    protocol Attributes {
        /// The folder for what can be fetched again; `nil` if there is none.
        var caches: URL? { get }
        /// The folder that the apps of a group share; `nil` if the app is not among them.
        func container(ofAppGroup group: String) -> URL?
        func make(_ folder: URL) throws
        /// Keeps the folder, and what is in it, out of backups.
        func excludeFromBackup(_ folder: URL) throws
        /// Lets files that are made in the folder from then on be read while the device is locked, but not before it
        /// was unlocked once since it was started: fetching in the background needs them.
        func protect(_ folder: URL) throws
    }

    /// Makes the folder where it is not there.
    ///
    /// The two attributes are set at every start: the system forgets the first one with some operations on files, and a
    /// folder that was made before has neither.
    ///
    /// - Throws: The error of making it, or `CocoaError` without a caches folder.
    static func prepare(named name: String, _ system: some Attributes) throws -> URL {
        guard let caches = system.caches else { throw CocoaError(.fileNoSuchFile) }
        return try prepare(caches.appendingPathComponent(name, isDirectory: true), system)
    }

    /// Makes the folder in the caches folder of an app group.
    ///
    /// - Throws: ``LarderError/Code/appGroupUnavailable``, and what making it throws.
    static func prepare(named name: String, inAppGroup group: String, _ system: some Attributes) throws -> URL {
        guard let container = system.container(ofAppGroup: group) else {
            throw LarderError(
                code: .appGroupUnavailable,
                message:
                    "The app group '\(group)' can't be used; add it to the entitlements of the app and its extensions."
            )
        }
        let caches = container.appendingPathComponent("Library/Caches", isDirectory: true)
        return try prepare(caches.appendingPathComponent(name, isDirectory: true), system)
    }

    /// The name of an app's own folder where all apps of a user share theirs.
    ///
    /// - Parameter process: The name of the program, for one without a bundle.
    static func ownName(bundle: String?, process: String) -> String {
        let name = (bundle.flatMap { $0.isEmpty ? nil : $0 } ?? process).replacingOccurrences(of: "/", with: "-")
        return name.isEmpty || name.allSatisfy { $0 == "." } ? "program" : name
    }

    private static func prepare(_ folder: URL, _ system: some Attributes) throws -> URL {
        try system.make(folder)
        try? system.excludeFromBackup(folder)
        try? system.protect(folder)
        return folder
    }
}
