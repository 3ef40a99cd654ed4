import CacheEngine
import Fetching
import Foundation

/// Answers the requests of an app's own sessions. Each registration has a class of its own, see ``numbered(_:)``.
///
/// It only translates: ``Load`` decides what is called when, and the registration what is answered.
package class CachingURLProtocol: URLProtocol, AnswersForSessions {
    private var load: Load?
    private var thread: ClientThread?

    private class var registration: SessionRegistration? { SessionRegistrations.shared.registration(of: self) }

    package override class func canInit(with request: URLRequest) -> Bool {
        registration?.takes(request) ?? false
    }

    /// WebSockets begin with a request for http, and are none of ours.
    package override class func canInit(with task: URLSessionTask) -> Bool {
        guard !(task is URLSessionWebSocketTask), let request = task.currentRequest else { return false }
        return canInit(with: request)
    }

    package override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Nothing of what is answered here is in a `URLCache`.
    package override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }

    package override func startLoading() {
        // Foundation on Linux starts a task again that was suspended.
        guard load == nil else { return }
        guard let registration = Self.registration else {
            client?.urlProtocol(self, didFailWithError: URLError(.cancelled))
            return
        }
        let upload = UploadContent(request)
        let asked = registration.settings.applied(to: request)
        let body = upload?.body(of: request)
        let client = SessionClient(urlProtocol: self, settings: registration.settings, upload: upload)
        let thread = ClientThread()
        let answer = registration.answer
        let load = Load(
            client, on: thread,
            answer: .pending {
                let answer = await answer(asked, body)
                return upload.map { answer.repeating($0.whole) } ?? answer
            }, timeout: RequestTimeout.of(seconds: asked.timeoutInterval), clock: registration.clock)
        (self.load, self.thread) = (load, thread)
        thread.performNow { load.start() }
    }

    package override func stopLoading() {
        guard let load, !ClientThread.isStoppedToSuspend || task?.state != .suspended else { return }
        thread?.performNow { load.stop() }
    }
}

final class NumberedURLProtocol<Number: ClassNumber>: CachingURLProtocol {}
