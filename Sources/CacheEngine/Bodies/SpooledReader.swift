import HTTPTypes

/// One reader's place in a ``SpooledBody``.
final class SpooledReader: TrailerSource {
    private let body: SpooledBody
    private let id: Int

    init(_ body: SpooledBody, id: Int) {
        self.body = body
        self.id = id
    }

    deinit { body.leave(id) }

    var trailers: HTTPFields? { body.trailers }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await body.next(for: id)
        } onCancel: {
            cancel()
        }
    }

    func cancel() { body.leave(id) }
}
