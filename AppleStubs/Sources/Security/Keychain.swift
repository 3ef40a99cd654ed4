import Foundation
import Locking

// Stand-ins for Security, as far as we use it. On Apple's systems these types are CoreFoundation's; `as CFDictionary` and
// `[CFString: Any]` mean the same there.

// c:@T@OSStatus | iOS 2.0, macOS 10.0 | Sendable | M
public typealias OSStatus = Int32
// c:@T@CFStringRef | iOS 2.0, macOS 10.0 | nonisolated | M
public typealias CFString = String
// c:@T@CFDictionaryRef | iOS 2.0, macOS 10.0 | nonisolated | M
public typealias CFDictionary = [String: Any]
// c:@T@CFTypeRef | iOS 2.0, macOS 10.0 | nonisolated | M
public typealias CFTypeRef = AnyObject

// c:@kSecClass | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecClass: CFString = "class"
// c:@kSecClassGenericPassword | iOS 2.0, macOS 10.7 | nonisolated | M
public let kSecClassGenericPassword: CFString = "genp"
// c:@kSecAttrService | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecAttrService: CFString = "svce"
// c:@kSecAttrAccount | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecAttrAccount: CFString = "acct"
// c:@kSecAttrAccessGroup | iOS 3.0, macOS 10.9 | nonisolated | M
public let kSecAttrAccessGroup: CFString = "agrp"
// c:@kSecAttrAccessible | iOS 4.0, macOS 10.9 | nonisolated | M
public let kSecAttrAccessible: CFString = "pdmn"
// c:@kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly | iOS 4.0, macOS 10.9 | nonisolated | M
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
// c:@kSecUseDataProtectionKeychain | iOS 13.0, macOS 10.15 | nonisolated | M
public let kSecUseDataProtectionKeychain: CFString = "nleg"
// c:@kSecValueData | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecValueData: CFString = "v_Data"
// c:@kSecReturnData | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecReturnData: CFString = "r_Data"
// c:@kSecMatchLimit | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecMatchLimit: CFString = "m_Limit"
// c:@kSecMatchLimitOne | iOS 2.0, macOS 10.6 | nonisolated | M
public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// What the calls below change. Not in Apple's module.
public final class SimulatedKeychain: Sendable {
    /// Not in Apple's module.
    public struct Item: Hashable, Sendable {
        public var service: String
        public var account: String
        public var group: String
        public var accessible: String
        public var data: Data

        public init(service: String, account: String, group: String, accessible: String, data: Data) {
            (self.service, self.account, self.group) = (service, account, group)
            (self.accessible, self.data) = (accessible, data)
        }
    }

    public static let shared = SimulatedKeychain()
    private let state = LockedBox<(items: [Item], refusal: OSStatus?)>(([], nil))
    private let meanwhile = LockedBox<(@Sendable (inout [Item]) -> OSStatus?)?>(nil)

    /// Not in Apple's module.
    public var items: [Item] { state.withLock { $0.items } }
    /// Not in Apple's module: forgets what is kept.
    public func clear() { state.withLock { $0.items = [] } }
    /// Not in Apple's module: what every call answers.
    public func refuse(with status: OSStatus?) { state.withLock { $0.refusal = status } }

    /// Not in Apple's module: called before each call, with what is kept; changes it as another process would, and says what
    /// the call fails with.
    public func interfere(_ work: (@Sendable (inout [Item]) -> OSStatus?)?) { meanwhile.withLock { $0 = work } }

    func call(
        _ query: CFDictionary, _ work: (inout [Item], _ matches: (Item) -> Bool) -> OSStatus
    ) -> OSStatus {
        // errSecParam: an item without these can't be told from others.
        guard query[kSecClass] as? String == kSecClassGenericPassword, let service = query[kSecAttrService] as? String,
            let account = query[kSecAttrAccount] as? String, query[kSecUseDataProtectionKeychain] as? Bool == true
        else { return -50 }
        let group = query[kSecAttrAccessGroup] as? String ?? "own"
        return state.withLock { state in
            let interference = meanwhile.withLock { $0 }
            if let refusal = interference?(&state.items) ?? state.refusal { return refusal }
            var items = state.items
            let status = work(&items) { $0.service == service && $0.account == account && $0.group == group }
            state.items = items
            return status
        }
    }
}

// c:@F@SecItemAdd | iOS 2.0, macOS 10.6 | nonisolated | M
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let item = SimulatedKeychain.Item(
        service: attributes[kSecAttrService] as? String ?? "", account: attributes[kSecAttrAccount] as? String ?? "",
        group: attributes[kSecAttrAccessGroup] as? String ?? "own",
        accessible: attributes[kSecAttrAccessible] as? String ?? "",
        data: attributes[kSecValueData] as? Data ?? Data())
    return SimulatedKeychain.shared.call(attributes) { items, matches in
        if items.contains(where: matches) { return -25_299 }
        items.append(item)
        return 0
    }
}

// c:@F@SecItemCopyMatching | iOS 2.0, macOS 10.6 | nonisolated | M
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    var found: Data?
    let status = SimulatedKeychain.shared.call(query) { items, matches in
        found = items.first(where: matches)?.data
        return found == nil ? -25_300 : 0
    }
    if let found, query[kSecReturnData] as? Bool == true { result?.pointee = NSData(data: found) }
    return status
}

// c:@F@SecItemUpdate | iOS 2.0, macOS 10.6 | nonisolated | M
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    SimulatedKeychain.shared.call(query) { items, matches in
        guard let place = items.firstIndex(where: matches) else { return -25_300 }
        if let data = attributesToUpdate[kSecValueData] as? Data { items[place].data = data }
        if let accessible = attributesToUpdate[kSecAttrAccessible] as? String { items[place].accessible = accessible }
        return 0
    }
}
