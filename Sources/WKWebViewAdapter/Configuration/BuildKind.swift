/// Whether the app is a debug build. `#if` stands in a function nowhere else, so the question has a file of its own.
enum BuildKind {
    static var isDebug: Bool {
        var found = false
        // Assertions are evaluated in debug builds only.
        assert(
            {
                found = true
                return true
            }())
        return found
    }
}
