import CacheTesting
import ChildPrograms
import Foundation

/// Certificates as authorities and attackers make them, by the `openssl` program.
struct CertificateMaker {
    /// What is asked for; a good leaf unless changed.
    struct Wish: Sendable {
        var names = "DNS:bank.test"
        var commonName: String?
        /// An argument of `openssl genpkey -algorithm`.
        var key = ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        var digest = "sha256"
        var from = "20250101000000Z"
        var to = "20400101000000Z"
        var usage = "extendedKeyUsage=serverAuth"
        var constraints = "basicConstraints=critical,CA:FALSE"
        /// A certificate between it and the root, where there is one.
        var issuer: [String]?
        var issuerKey: [String]?
        var issuerDigest: String?
    }

    static func rsa(_ bits: Int) -> [String] { ["RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"] }
    private static let authority = [
        "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign", "subjectKeyIdentifier=hash",
    ]

    private let folder: TemporaryDirectory
    /// The root's certificate in PEM.
    var root: String { path("root.pem") }

    init() async throws {
        folder = try TemporaryDirectory()
        try await openssl(["genpkey", "-algorithm"] + Wish().key + ["-out", path("root.key")])
        try Data("[x]\n\(Self.authority.joined(separator: "\n"))\n[req]\ndistinguished_name=d\n[d]\n".utf8)
            .write(to: URL(fileURLWithPath: path("root.cnf")))
        try await openssl([
            "req", "-x509", "-new", "-key", path("root.key"), "-subj", "/CN=Root", "-days", "3650", "-config",
            path("root.cnf"), "-extensions", "x", "-out", path("root.pem"),
        ])
    }

    /// The chain and the key, in PEM.
    func make(_ wish: Wish) async throws -> (certificatePEM: String, keyPEM: String) {
        var issuer = "root"
        if let lines = wish.issuer {
            issuer = "between"
            var between = Wish(commonName: "Between")
            between.key = wish.issuerKey ?? between.key
            between.digest = wish.issuerDigest ?? between.digest
            try await sign(issuer, by: "root", between, Self.authority + lines)
        }
        var lines = [wish.constraints, wish.usage]
        if !wish.names.isEmpty { lines.append("subjectAltName=\(wish.names)") }
        try await sign("leaf", by: issuer, wish, lines)
        let chain = try text("leaf.pem") + (wish.issuer == nil ? "" : try text("between.pem"))
        return (chain, try text("leaf.key"))
    }

    private func sign(
        _ name: String, by issuer: String, _ wish: Wish, _ extensions: [String]
    ) async throws {
        try await openssl(["genpkey", "-algorithm"] + wish.key + ["-out", path("\(name).key")])
        let subject = wish.commonName.map { "/O=Test/CN=\($0)" } ?? "/O=Test"
        try await openssl(["req", "-new", "-key", path("\(name).key"), "-subj", subject, "-out", path("\(name).csr")])
        try Data(extensions.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path("\(name).ext")))
        try Data().write(to: URL(fileURLWithPath: path("\(name).index")))
        let configuration = """
            [ca]
            default_ca=d
            [d]
            database=\(path("\(name).index"))
            rand_serial=yes
            new_certs_dir=\(folder.path)
            default_md=\(wish.digest)
            policy=p
            [p]
            O=optional
            CN=optional
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: path("\(name).cnf")))
        try await openssl([
            "ca", "-batch", "-notext", "-config", path("\(name).cnf"), "-startdate", wish.from, "-enddate", wish.to,
            "-in", path("\(name).csr"), "-out", path("\(name).pem"), "-extfile", path("\(name).ext"), "-cert",
            path("\(issuer).pem"), "-keyfile", path("\(issuer).key"),
        ])
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    private func openssl(_ arguments: [String]) async throws {
        let errors = try OutputPipe()
        let process = try ChildProcess("/usr/bin/openssl", arguments, errors: .pipe(errors))
        let said = String(decoding: await errors.readAll(), as: UTF8.self)
        guard await process.ended() == .exited(0) else { throw Failure(description: "\(arguments[0]): \(said)") }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }
}
