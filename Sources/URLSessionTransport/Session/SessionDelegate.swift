import Foundation
import Locking

/// The exchanges of a session, by the numbers of their tasks, from before a task starts until it has ended.
typealias OpenExchanges = LockedBox<[Int: TaskExchange]>

/// Hands what a session tells to the exchanges it is about. Called on the session's queue, one call at a time.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    let exchanges: OpenExchanges
    private let uptime: @Sendable () -> Duration

    init(_ exchanges: OpenExchanges, uptime: @escaping @Sendable () -> Duration) {
        self.exchanges = exchanges
        self.uptime = uptime
    }

    func exchange(of task: URLSessionTask) -> TaskExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the answer.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(of: task)?.streamRequested { BoundBodyStream.make() })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.noteProgress(at: uptime())
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isWanted = exchange(of: dataTask)?.received(
            status: (response as? HTTPURLResponse)?.statusCode ?? 0, fields: HeadFields.of(response))
        completionHandler(isWanted == true ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(Array(data))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard let error else { return exchange.completed() }
        exchange.completed(code: (error as? URLError)?.errorCode ?? 0, cause: error)
    }
}

enum HeadFields {
    /// Names and values as the session keeps them.
    static func of(_ response: URLResponse) -> [(String, String)] {
        let fields = (response as? HTTPURLResponse)?.allHeaderFields ?? [:]
        return fields.compactMap { name, value in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
    }
}
