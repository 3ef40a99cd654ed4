import Foundation

extension SiteTemplate {
    /// The templates in files, recordings and applications apart: `.har` is a recording, `.tsv` a
    /// list of an application's files. A folder stands for the files in it. Unreadable files are
    /// left out and told.
    ///
    /// - Parameter tell: Called with a sentence for each path that yields nothing.
    package static func read(
        _ paths: [String], tell: (String) -> Void
    ) -> (recordings: [SiteTemplate], applications: [SiteTemplate]) {
        var recordings: [SiteTemplate] = []
        var applications: [SiteTemplate] = []
        for path in paths {
            let files = self.files(at: path)
            if files.isEmpty { tell("No recording and no file list at '\(path)'; going on without it.") }
            for file in files {
                do {
                    let data = try Data(contentsOf: URL(fileURLWithPath: file))
                    let isRecording = file.hasSuffix(".har")
                    let template =
                        isRecording
                        ? try SiteTemplate(har: data) : SiteTemplate(fileList: String(decoding: data, as: UTF8.self))
                    if template.pages.isEmpty {
                        tell("Nothing in '\(file)' may be stored; going on without it.")
                    } else if isRecording {
                        recordings.append(template)
                    } else {
                        applications.append(template)
                    }
                } catch {
                    tell("'\(file)' can't be read as a recording; going on without it.")
                }
            }
        }
        return (recordings, applications)
    }

    private static func files(at path: String) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".har") || $0.hasSuffix(".tsv") }.sorted().map { "\(path)/\($0)" }
    }
}
