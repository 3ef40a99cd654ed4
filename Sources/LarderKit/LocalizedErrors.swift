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

// Each error's `localizedDescription`, also as an `NSError`: the failure and its remedy, in English. An app meets some
// of them only as the cause of others, or in a sequence of events.

package protocol MessageError: LocalizedError { var message: String { get } }
extension MessageError { public var errorDescription: String? { message } }

extension TransportError: MessageError {}
extension StoreError: MessageError {}
extension LarderError: MessageError {}
extension WebViewError: MessageError {}
extension ManifestUpdateError: MessageError {}
extension ManifestRefusal: MessageError {}
extension PreloadRefusal: MessageError {}
extension SeedError: MessageError {}
extension ContentDecodingError: MessageError {}
extension FetchError: MessageError {}
extension SchemeTaskError: MessageError {}

/// With more than the message, such as the number of a line.
package protocol DescribedError: LocalizedError, CustomStringConvertible {}
extension DescribedError { public var errorDescription: String? { description } }

extension EngineError: DescribedError {}
extension RulesFileError: DescribedError {}
extension PreloadListError: DescribedError {}
extension PreloadPageError: DescribedError {}
extension UploadFile.Failure: DescribedError {}
