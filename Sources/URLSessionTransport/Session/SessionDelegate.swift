import Foundation
import Locking

/// Hands what a session tells to the exchanges it is about. Called on the session's queue, one call at a time.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    let registry: TaskRegistry
    let challenges: SessionChallenges
    private let uptime: @Sendable () -> Duration

    init(_ registry: TaskRegistry, _ challenges: SessionChallenges, uptime: @escaping @Sendable () -> Duration) {
        (self.registry, self.challenges) = (registry, challenges)
        self.uptime = uptime
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
        completionHandler(registry.exchange(task.taskIdentifier)?.streamRequested { BoundBodyStream.make() })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        registry.exchange(task.taskIdentifier)?.noteProgress(at: uptime())
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isWanted = registry.exchange(dataTask.taskIdentifier)?.received(
            status: (response as? HTTPURLResponse)?.statusCode ?? 0, fields: HeadFields.of(response))
        completionHandler(isWanted == true ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        registry.exchange(dataTask.taskIdentifier)?.received(Array(data))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = registry.remove(task.taskIdentifier) else { return }
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

/// The exchanges of a session, by the numbers of their tasks, from before a task starts until it has ended.
package final class TaskRegistry: Sendable {
    private let exchanges = LockedBox<[Int: TaskExchange]>([:])

    package init() {}

    package func add(_ exchange: TaskExchange, for number: Int) {
        exchanges.withLock { $0[number] = exchange }
    }

    package func exchange(_ number: Int) -> TaskExchange? {
        exchanges.withLock { $0[number] }
    }

    /// The exchange of a task that has ended.
    package func remove(_ number: Int) -> TaskExchange? {
        exchanges.withLock { $0.removeValue(forKey: number) }
    }

    /// How many tasks have not ended.
    package var count: Int { exchanges.withLock { $0.count } }
}
