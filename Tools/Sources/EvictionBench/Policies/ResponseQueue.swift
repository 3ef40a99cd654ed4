/// Responses in a row, with the sum of their sizes. Every operation takes constant time.
struct ResponseQueue {
    private struct Link {
        var size = -1
        var before = -1
        var after = -1
    }

    private var links: [Link] = []
    /// The one that was put in first; `nil` when the queue is empty.
    private(set) var first: Int?
    private(set) var last: Int?
    private(set) var bytes = 0
    private(set) var count = 0

    func contains(_ response: Int) -> Bool { size(of: response) != nil }

    func size(of response: Int) -> Int? {
        response < links.count && links[response].size >= 0 ? links[response].size : nil
    }

    /// The next one on the way to ``last``.
    func successor(of response: Int) -> Int? {
        contains(response) && links[response].after >= 0 ? links[response].after : nil
    }

    mutating func append(_ response: Int, size: Int) {
        while links.count <= response { links.append(Link()) }
        links[response] = Link(size: size, before: last ?? -1)
        if let last { links[last].after = response } else { first = response }
        last = response
        bytes += size
        count += 1
    }

    @discardableResult
    mutating func remove(_ response: Int) -> Bool {
        guard contains(response) else { return false }
        let link = links[response]
        if link.before >= 0 { links[link.before].after = link.after } else { first = link.after < 0 ? nil : link.after }
        if link.after >= 0 {
            links[link.after].before = link.before
        } else {
            last = link.before < 0 ? nil : link.before
        }
        links[response] = Link()
        bytes -= link.size
        count -= 1
        return true
    }

    mutating func moveToEnd(_ response: Int) {
        guard let size = size(of: response), last != response else { return }
        remove(response)
        append(response, size: size)
    }
}
