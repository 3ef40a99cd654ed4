import Locking

/// Questions under way: one for each protection space, however many requests wait for its answer.
package final class CredentialQuestions: Sendable {
    private struct Question: Sendable {
        var number: Int
        var work: Task<Void, Never>
        var answer = Waiters<CredentialAnswer>()
        /// How many wait for the answer.
        var waiting = 0
    }

    private struct State: Sendable {
        var questions: [ProtectionSpace: Question] = [:]
        var lastNumber = 0
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
        let (number, answers) = state.withLock { state -> (Int, AsyncStream<CredentialAnswer>) in
            var asked: Question
            if let known = state.questions[key] {
                asked = known
            } else {
                state.lastNumber += 1
                asked = Question(number: state.lastNumber, work: begin(state.lastNumber, question, key, asker))
            }
            asked.waiting += 1
            let answers = asked.answer.add()
            state.questions[key] = asked
            return (asked.number, answers)
        }
        for await answer in answers { return answer }
        giveUp(number, key)
        return .showResponse
    }

    private func begin(
        _ number: Int, _ question: CredentialQuestion, _ key: ProtectionSpace,
        _ asker: @escaping CredentialQuestion.Asker
    ) -> Task<Void, Never> {
        Task {
            let answer = await asker(question)
            state.withLock { state in
                guard state.questions[key]?.number == number else { return }
                state.questions[key]?.answer.wake(answer)
                state.questions[key] = nil
            }
        }
    }

    private func giveUp(_ number: Int, _ key: ProtectionSpace) {
        let work = state.withLock { state -> Task<Void, Never>? in
            guard state.questions[key]?.number == number else { return nil }
            state.questions[key]?.waiting -= 1
            return state.questions[key]?.waiting == 0 ? state.questions.removeValue(forKey: key)?.work : nil
        }
        work?.cancel()
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
