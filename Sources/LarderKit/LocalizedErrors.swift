import CacheEngine
import Foundation
import ResponseStore

// What an app shows with `localizedDescription`, and what `NSError` says of them: their message, in English.

extension EngineError: LocalizedError {
    public var errorDescription: String? { message }
}

extension StoreError: LocalizedError {
    public var errorDescription: String? { message }
}

extension LarderError: LocalizedError {
    public var errorDescription: String? { message }
}
