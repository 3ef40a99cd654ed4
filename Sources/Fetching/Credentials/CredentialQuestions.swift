import Locking

/// Questions under way: one for each protection space, however many requests wait for its answer.
package final class CredentialQuestions: Sendable {
    private struct Question: Sendable {
        var number: Int
        var work: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<CredentialAnswer, Never>] = [:]
    }

    private struct State: Sendable {
        var questions: [ProtectionSpace: Question] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = LockedBox(State())

    package init() {}

    /// Asks, or waits for the answer to the same question.
    ///
    /// - Returns: ``CredentialAnswer/showResponse`` at once when the task of the request is cancelled. When nobody
    ///   waits any more, the question's own task is cancelled as well.
    package func ask(
        _ question: CredentialQuestion, _ key: ProtectionSpace, of asker: @escaping CredentialQuestion.Asker
    ) async -> CredentialAnswer {
        let id = state.withLock { $0.nextNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begun = state.withLock { state -> Int? in
                    if state.questions[key] != nil {
                        state.questions[key]?.waiting[id] = continuation
                        return nil
                    }
                    let number = state.nextNumber()
                    state.questions[key] = Question(number: number, waiting: [id: continuation])
                    return number
                }
                if let begun { begin(begun, question, key, asker) }
                // The handler may have run before there was something to give up.
                if Task.isCancelled { giveUp(id, key) }
            }
        } onCancel: {
            giveUp(id, key)
        }
    }

    private func begin(
        _ number: Int, _ question: CredentialQuestion, _ key: ProtectionSpace,
        _ asker: @escaping CredentialQuestion.Asker
    ) {
        let work = Task {
            let answer = await asker(question)
            let waiting = state.withLock { state in
                guard state.questions[key]?.number == number else {
                    return [CheckedContinuation<CredentialAnswer, Never>]()
                }
                return state.questions.removeValue(forKey: key).map { Array($0.waiting.values) } ?? []
            }
            for continuation in waiting { continuation.resume(returning: answer) }
        }
        let isWanted = state.withLock { state -> Bool in
            guard state.questions[key]?.number == number else { return false }
            state.questions[key]?.work = work
            return true
        }
        // It was given up, or is answered already.
        if !isWanted { work.cancel() }
    }

    private func giveUp(_ id: Int, _ key: ProtectionSpace) {
        let (continuation, work) = state.withLock {
            state -> (CheckedContinuation<CredentialAnswer, Never>?, Task<Void, Never>?) in
            guard let continuation = state.questions[key]?.waiting.removeValue(forKey: id) else { return (nil, nil) }
            guard state.questions[key]?.waiting.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.questions.removeValue(forKey: key)?.work)
        }
        work?.cancel()
        continuation?.resume(returning: .showResponse)
    }
}

/// A server wants a user name and a password, and none are known.
package struct CredentialQuestion: Hashable, Sendable {
    /// The server's origin: always that of the document in the address bar, or the one to come.
    package var origin: WebOrigin
    /// The server's name for what it protects. Its own words: show them as such, beside the origin.
    /// Without control characters and those that turn the direction of text.
    package var realm: String
    /// How often credentials were refused for this request.
    package var previousFailureCount: Int

    package init(origin: WebOrigin, realm: String, previousFailureCount: Int = 0) {
        self.origin = origin
        let shown = realm.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
        self.realm = String(String.UnicodeScalarView(shown))
        self.previousFailureCount = previousFailureCount
    }

    /// Asks the app, or its user. The task is cancelled when no request waits for the answer any more.
    package typealias Asker = @Sendable (CredentialQuestion) async -> CredentialAnswer
}

/// The answer to a ``CredentialQuestion``.
package enum CredentialAnswer: Hashable, Sendable {
    /// Send these.
    ///
    /// - remembered: Whether this process uses them for the protection space's later requests too.
    case use(BasicCredentials, remembered: Bool = true)
    /// The page gets the server's answer, with status 401.
    case showResponse
    /// The load fails.
    case cancel
}

/// Where one set of credentials holds, RFC 9110 §11.5: "the combination of canonical root URI and realm value".
package struct ProtectionSpace: Hashable, Sendable {
    /// The credentials are remembered for this one alone.
    package var owner: Owner
    package var origin: WebOrigin
    package var realm: String

    package init(owner: Owner, origin: WebOrigin, realm: String) {
        (self.owner, self.origin, self.realm) = (owner, origin, realm)
    }

    /// The owner of a memory of credentials.
    package struct Owner: Hashable, Sendable {
        var account: String
        /// See ``FetchRequest/cacheSite(registrableDomain:)``: what was entered for a site's own pages is not for the
        /// pages of others that use it.
        var site: String

        package init(account: String, site: String) {
            self.account = account
            self.site = site
        }
    }
}
