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
        state.withLock { state in
            guard state.questions[key]?.number == number else { return }
            state.questions[key]?.work = work
        }
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
