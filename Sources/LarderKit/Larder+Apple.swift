#if canImport(Network)
import Foundation

/// Defaults on Apple's platforms. Type-checked and driven with stand-ins; not yet run on a device.
extension Larder {
    /// Opens a store in the app's caches folder, with URLSession as the network.
    ///
    /// The folder is named `larder`; on a Mac it is in a folder that has the app's bundle identifier, or else the
    /// program's name, because programs without a sandbox share the caches folder. It is not backed up, its files can
    /// be read once the device was unlocked since its start, and the system may empty it when space is short. Memory is
    /// given back when the system asks for it.
    ///
    /// - Throws: `StoreError` when the folder can't be used, or `CocoaError` when it can't be made.
    public convenience init() throws {
        try self.init(.forApp())
    }

    /// Opens a store in the folder of an app group, for an app and its extensions, with URLSession as the network.
    ///
    /// As ``init()`` otherwise. While the app is in the background the store lets go of its files, see
    /// ``LarderConfiguration/suspendsInBackground``.
    ///
    /// - Parameter appGroup: Such as `group.com.example.shop`, among the app's entitlements.
    /// - Throws: ``LarderError/Code/appGroupUnavailable``, `StoreError` when the folder can't be used, or `CocoaError`
    ///   when it can't be made.
    public convenience init(appGroup: String) throws {
        try self.init(.forApp(inAppGroup: appGroup))
    }

    /// Opens the store, with URLSession as the network.
    ///
    /// - Throws: `StoreError` when the directory can't be used or holds a newer format.
    public convenience init(_ configuration: LarderConfiguration) throws {
        try self.init(configuration, transport: URLSessionOriginTransport(clock: configuration.clock))
    }
}

extension LarderConfiguration {
    /// The configuration of ``Larder/init()``, to change before it is used.
    ///
    /// - Parameter name: The name of the folder in the caches folder; two stores of an app need two.
    /// - Throws: `CocoaError` when the folder can't be made.
    public static func forApp(named name: String = "larder") throws -> LarderConfiguration {
        LarderConfiguration(directory: try StoreFolder.prepare(named: name, SystemFolders()))
    }

    /// The configuration of ``Larder/init(appGroup:)``, to change before it is used.
    ///
    /// - Parameter name: The name of the folder in the caches folder of the group; two stores of a group need two.
    /// - Throws: ``LarderError/Code/appGroupUnavailable``, or `CocoaError` when the folder can't be made.
    public static func forApp(named name: String = "larder", inAppGroup group: String) throws -> LarderConfiguration {
        var configuration = LarderConfiguration(
            directory: try StoreFolder.prepare(named: name, inAppGroup: group, SystemFolders()))
        configuration.suspendsInBackground = true
        return configuration
    }
}
#endif
