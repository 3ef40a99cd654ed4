import ChildPrograms
import Foundation
import Glibc

/// A running application, on a port of 127.0.0.1.
final class ApplicationServer: Sendable {
    var address: String { "http://127.0.0.1:\(port)" }
    let port: Int
    private let process: ChildProcess

    /// - Parameters:
    ///   - environments: The folder that scripts/application fills.
    ///   - folder: For what the application writes.
    init(_ application: Application, environments: String, folder: String) throws {
        let port = try Self.freePort()
        self.port = port
        func filled(_ text: String) -> String {
            text.replacingOccurrences(of: "PORT", with: String(port)).replacingOccurrences(of: "FOLDER", with: folder)
                .replacingOccurrences(of: "SITE", with: environments + "/mkdocs-site")
        }
        for (name, text) in application.files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let program =
            application.program.hasPrefix("/")
            ? application.program : "\(environments)/\(application.name)/\(application.program)"
        var environment = ProcessInfo.processInfo.environment.merging(application.environment.mapValues(filled)) { $1 }
        environment["HOME"] = folder
        process = try ChildProcess(program, application.arguments.map(filled), environment: environment)
    }

    /// Returns when it answers.
    ///
    /// - Throws: ``ApplicationFailure`` when it has ended instead.
    func start() async throws {
        guard let url = URL(string: address) else { throw ApplicationFailure("\(address) is no URL.") }
        while process.ending == nil {
            if Self.answers(url) { return }
            await Task.yield()
        }
        throw ApplicationFailure("The application ended: \(String(describing: process.ending)).")
    }

    /// Returns when nobody answers any more.
    func stop() async {
        // The programs that it has started end with it: each has a process group of its own.
        kill(-process.identifier, SIGTERM)
        process.terminate()
        await process.ended()
        kill(-process.identifier, SIGKILL)
    }

    private static func answers(_ url: URL) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(url.port ?? 0).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw ApplicationFailure("There is no free port.") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}

struct ApplicationFailure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
