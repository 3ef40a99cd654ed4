extension SiteTemplate {
    /// Reads the list of an application's files: one to a line, its size in bytes, a tab, its name.
    ///
    /// Nothing is known of when each is loaded. So the model lets every page ask for each file with
    /// one of the endings `.html`, `.css` and `.woff2` and for one in eight of the others, and takes
    /// some of the rest where they are needed. The cost is that of a middling 4G, as in
    /// docs/benchmarks.md: 60 ms and 12 Mbit/s.
    package init(fileList text: String) {
        var always: [File] = []
        var sometimes: [File] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let size = Int(parts[0]), size >= 0 else { continue }
            let name = String(parts[1])
            let file = File(
                name: name,
                response: TracedResponse(size: size + TracedResponse.headSize, cost: 60 + Double(size) / 1_500),
                naming: .site)
            let isEarly = [".html", ".css", ".woff2"].contains { name.hasSuffix($0) }
            if isEarly || name.utf8.reduce(0, { $0 &* 31 &+ Int($1) }) & 7 == 0 {
                always.append(file)
            } else {
                sometimes.append(file)
            }
        }
        self.init(pages: always.isEmpty ? [] : [always], optionalFiles: sometimes)
    }
}
