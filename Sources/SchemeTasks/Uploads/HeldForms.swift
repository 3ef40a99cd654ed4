import Fetching
import Locking
import PageScripts

/// The forms of the web views of one configuration whose content is collected before their view navigates.
final class HeldForms: Sendable {
    /// Forms at a time, with those that were sent and may be sent again by a reload.
    static let greatestCount = 8

    private let makeSpace: (@Sendable () throws -> any UploadSpace)?
    private let greatestLength: Int64
    /// The oldest first.
    private let forms = LockedBox<[HeldForm]>([])

    init(greatestLength: Int64, makeSpace: (@Sendable () throws -> any UploadSpace)?) {
        self.greatestLength = greatestLength
        self.makeSpace = makeSpace
    }

    var count: Int { forms.withLock { $0.count } }

    func form(_ id: UploadID, url: String) -> HeldForm? {
        forms.withLock { $0.first { $0.id == id && $0.url == url } }
    }

    /// Whether forms are collected for this URL that no request has come for.
    ///
    /// - Parameter ids: The forms that count; `nil` for all.
    func hasUnclaimed(at url: String, among ids: [UploadID]? = nil) -> Bool { !unclaimed(at: url, ids).isEmpty }

    private func unclaimed(at url: String, _ ids: [UploadID]?) -> [HeldForm] {
        let url = url.withoutFragment
        return forms.withLock { $0.filter { $0.url == url && $0.isUnclaimed && ids?.contains($0.id) != false } }
    }

    /// Returns when all that was begun for this URL is whole, or will never be: then its request is refused.
    func release(at url: String, among ids: [UploadID]? = nil) async {
        for form in unclaimed(at: url, ids) { await form.release() }
    }

    /// - Returns: `nil` where there is such a form already, or no place for one.
    func begin(_ id: UploadID, url: String, length: Int64) -> HeldForm? {
        guard length > 0 else { return nil }
        return forms.withLock { forms in
            guard !forms.contains(where: { $0.id == id }) else { return nil }
            var isLong = length > greatestLength
            while !isLong, forms.count >= Self.greatestCount || !fits(length, forms) {
                // A form that a page is still sending stays.
                guard let oldest = forms.firstIndex(where: \.isIndependent) else { break }
                forms.remove(at: oldest)
            }
            isLong = isLong || !fits(length, forms)
            guard forms.count < Self.greatestCount else { return nil }
            let form = isLong ? HeldForm(id, url: url, refusedBecause: Self.tooLong) : make(id, url, length)
            forms.append(form)
            return form
        }
    }

    private func fits(_ length: Int64, _ forms: [HeldForm]) -> Bool {
        forms.reduce(into: greatestLength) { $0 -= $1.length } >= length
    }

    private func make(_ id: UploadID, _ url: String, _ length: Int64) -> HeldForm {
        guard length <= HeldForm.greatestInMemory || makeSpace != nil else {
            return HeldForm(id, url: url, refusedBecause: Self.tooLong)
        }
        do {
            let space = try length <= HeldForm.greatestInMemory ? nil : makeSpace?()
            return HeldForm(id, url: url, length: length, space: space ?? UploadBuffer())
        } catch {
            return HeldForm(
                id, url: url,
                refusedBecause: SchemeTaskError(
                    code: .refused, message: "There is no file for the content of this form; see the cause.",
                    cause: error))
        }
    }

    func remove(_ form: HeldForm) { forms.withLock { $0.removeAll { $0 === form } } }

    /// The form whose name stands in this content; each once.
    func claim(_ content: [UInt8], url: String, type: String) throws(SchemeTaskError) -> HeldForm? {
        for id in UploadID.quoted(in: content) {
            guard let form = form(id, url: url), form.isUnclaimed else { continue }
            do throws(SchemeTaskError) {
                if try form.claim(type) { return form }
            } catch {
                remove(form)
                throw error
            }
        }
        return nil
    }

    /// The form that a request of this type was sent for before: a page is loaded again.
    func claimed(by type: String, url: String) -> HeldForm? {
        forms.withLock { $0.first { $0.url == url && $0.wasClaimed(by: type) } }
    }

    private static var tooLong: SchemeTaskError {
        SchemeTaskError(
            code: .refused,
            message: "The content of this form is longer than what is kept; use the mode proxy for such a form.")
    }
}
