import CacheEngine
import CacheRules
import Decoding
import Fetching
import Foundation
import Manifests
import Preloading
import ResponseStore
import SchemeTasks
import WKWebViewAdapter

// What an app shows with `localizedDescription`, and what `NSError` says of them: what happened and what helps, in English.
// `Decoding`, `Interception` and `Preloading` have errors that an app meets as the cause of others, or in a sequence.

extension EngineError: LocalizedError {
    public var errorDescription: String? { message }
}

extension TransportError: LocalizedError {
    public var errorDescription: String? { message }
}

extension StoreError: LocalizedError {
    public var errorDescription: String? { message }
}

extension LarderError: LocalizedError {
    public var errorDescription: String? { message }
}

extension WebViewError: LocalizedError {
    public var errorDescription: String? { message }
}

extension RulesFileError: LocalizedError {
    /// A line for each problem.
    public var errorDescription: String? { description }
}

extension RegularExpression.Failure: LocalizedError {
    /// With the place in the pattern.
    public var errorDescription: String? { description }
}

extension PreloadListError: LocalizedError {
    /// With the number of the line.
    public var errorDescription: String? { description }
}

extension PreloadPageError: LocalizedError {
    /// With the number of the line.
    public var errorDescription: String? { description }
}

extension ManifestUpdateError: LocalizedError {
    public var errorDescription: String? { message }
}

extension ManifestRefusal: LocalizedError {
    public var errorDescription: String? { message }
}

extension PreloadRefusal: LocalizedError {
    public var errorDescription: String? { message }
}

extension SeedError: LocalizedError {
    public var errorDescription: String? { message }
}

extension ContentDecodingError: LocalizedError {
    public var errorDescription: String? { message }
}

extension FetchError: LocalizedError {
    public var errorDescription: String? { message }
}

extension SchemeTaskError: LocalizedError {
    public var errorDescription: String? { message }
}

extension UploadFile.Failure: LocalizedError {
    public var errorDescription: String? { description }
}
