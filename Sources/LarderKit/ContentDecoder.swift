import CacheEngine
import Decoding
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import HTTPTypes

/// Takes the content codings off a content in memory, with the errors of a request of the app.
struct ContentDecoder {
    private let codings: ContentCodings

    /// - Returns: `nil` where one of the codings is not gzip, deflate, or br where the system decodes it.
    init?(_ fields: HTTPFields) {
        guard let codings = ContentCodings(fields) else { return nil }
        self.codings = codings
    }

    /// - Parameter limit: The most that may come out, of each coding.
    /// - Throws: ``CacheEngine/EngineError/Code/contentUnreadable`` for what is damaged or cut off, `bodyTooLarge`.
    func decode(_ content: [UInt8], upTo limit: ByteCount) throws(EngineError) -> [UInt8] {
        do throws(ContentDecodingError) {
            return try ContentDecoding.decode(content, codings, limits: DecodingLimits(total: limit))
        } catch {
            let code: EngineError.Code = error.code == .tooLarge ? .bodyTooLarge : .contentUnreadable
            throw EngineError(code: code, message: error.message, cause: error)
        }
    }
}
