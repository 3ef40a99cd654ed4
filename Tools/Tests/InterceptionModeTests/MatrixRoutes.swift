import Foundation
import Locking
import NIOHTTP1

/// What the origin answers. Parameters of the query change any answer: `allow` and `grant` for CORS, `type`, `cache`,
/// `set` for a cookie, `status`, `nosniff`, `policy`, `frame`, `csp`, `custom`, `expose`, and `id`, under which it
/// remembers the request.
struct MatrixRoutes: Sendable {
    let mailbox = Mailbox()
    private let files: MatrixFiles
    private let asked = LockedBox<[String: [MatrixRequest]]>([:])

    init() throws { files = try MatrixFiles() }

    func answer(_ request: MatrixRequest) async -> MatrixAnswer {
        if let id = request["id"] {
            asked.withLock { $0[id, default: []].append(request) }
            await mailbox.put("", under: "arrived \(id)")
        }
        if request.method == "OPTIONS" { return finished(MatrixAnswer("text/plain", ""), for: request) }
        if request.path.hasPrefix("/protected/") { return finished(await protected(request), for: request) }
        return finished(await route(request), for: request)
    }

    /// What lies below, for who names user "u" and password "p"; the folder is the realm.
    private func protected(_ request: MatrixRequest) async -> MatrixAnswer {
        let parts = request.path.split(separator: "/", maxSplits: 2)
        guard request.fields["Authorization"] == ["Basic dTpw"] else {
            var answer = MatrixAnswer("text/plain", "no entry")
            answer.status = 401
            answer.fields.add(name: "WWW-Authenticate", value: "Basic realm=\"\(parts.dropFirst().first ?? "")\"")
            return answer
        }
        var inner = request
        inner.path = "/" + (parts.last?.split(separator: "/").last ?? "")
        return await route(inner)
    }

    private func route(_ request: MatrixRequest) async -> MatrixAnswer {
        switch request.path {
        case "/echo": return MatrixAnswer("application/json", request.echo)
        case "/pattern": return MatrixAnswer("application/json", UploadPattern.judge(request))
        case "/form-pattern":
            return MatrixAnswer(
                "text/html; charset=utf-8",
                "<!doctype html><script>parent.postMessage({id: '\(request["id"] ?? "")', "
                    + "text: \(UploadPattern.judge(request))}, '*')</script>")
        case "/form":
            let id = request["id"] ?? ""
            return MatrixAnswer(
                "text/html; charset=utf-8",
                "<!doctype html><script>parent.postMessage({id: '\(id)', text: \(request.echo)}, '*')</script>")
        // Of several lines most servers read the first only, and RFC 6265 §5.4 allows just one.
        case "/cookies": return MatrixAnswer("text/plain", request.fields["Cookie"].joined(separator: " and "))
        case "/asked": return MatrixAnswer("application/json", record(of: request["of"] ?? ""))
        case "/arrived": return MatrixAnswer("text/plain", await mailbox.text(under: "arrived \(request["of"] ?? "")"))
        // When an upload has begun, and when its connection was closed before its end.
        case "/begun": return MatrixAnswer("text/plain", await mailbox.text(under: "begun \(request["of"] ?? "")"))
        case "/gone": return MatrixAnswer("text/plain", await mailbox.text(under: "gone \(request["of"] ?? "")"))
        case "/release":
            await mailbox.put("", under: "release \(request["of"] ?? "")")
            return MatrixAnswer("text/plain", "")
        case "/held":
            _ = await mailbox.text(under: "release \(request["id"] ?? "")")
            return MatrixAnswer("text/plain", "held")
        case "/stream":
            var answer = MatrixAnswer("text/plain", "first")
            let id = request["id"] ?? ""
            answer.rest = {
                _ = await mailbox.text(under: "release \(id)")
                return "second"
            }
            return answer
        case "/beacon":
            await mailbox.put(request.echo, under: "beacon \(request["id"] ?? "")")
            return MatrixAnswer("text/plain", "")
        case "/beaconed":
            return MatrixAnswer("application/json", await mailbox.text(under: "beacon \(request["of"] ?? "")"))
        case "/markup": return MatrixAnswer("text/html; charset=utf-8", "<!doctype html>\(request["markup"] ?? "")")
        case "/events": return events(request)
        case "/untyped":
            var answer = MatrixAnswer(
                "",
                "<!doctype html><script>parent.postMessage({id: '\(request["id"] ?? "")', text: document.contentType}, '*')</script>"
            )
            answer.fields.remove(name: "Content-Type")
            return answer
        case "/redirect": return redirect(request["status"].flatMap { Int($0) } ?? 302, to: request["to"] ?? "/")
        case "/circle": return redirect(302, to: "/circle")
        case "/hangup":
            var answer = MatrixAnswer("text/plain", "")
            answer.hangsUp = true
            return answer
        case "/broken":
            var answer = MatrixAnswer("text/plain", "some")
            answer.fields.add(name: "Content-Length", value: "20")
            answer.breaksOff = true
            return answer
        default: return files.answer(request) ?? Self.notFound
        }
    }

    private static var notFound: MatrixAnswer {
        var answer = MatrixAnswer("text/plain", "Nothing is here.")
        answer.status = 404
        return answer
    }

    private func redirect(_ status: Int, to target: String) -> MatrixAnswer {
        var answer = MatrixAnswer("text/plain", "")
        answer.status = status
        answer.fields.add(name: "Location", value: target)
        return answer
    }

    /// Two events, and another one for whoever has had them.
    private func events(_ request: MatrixRequest) -> MatrixAnswer {
        let last = request.fields.first(name: "Last-Event-ID")
        let text =
            last.map { "id: 3\ndata: after \($0)\n\n" } ?? "retry: 1\nid: 1\ndata: one\n\nid: 2\ndata: two\n\n"
        return MatrixAnswer("text/event-stream", text)
    }

    private func record(of id: String) -> String {
        struct Record: Encodable {
            var method: String
            var fields: [String: String]
        }
        let records = asked.withLock { $0[id] ?? [] }.map { request in
            Record(
                method: request.method,
                fields: request.fields.reduce(into: [:]) { fields, field in
                    fields[field.name.lowercased(), default: ""] += field.value
                })
        }
        return (try? JSONEncoder().encode(records)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// What the query asks for besides.
    private func finished(_ answer: MatrixAnswer, for request: MatrixRequest) -> MatrixAnswer {
        var answer = answer
        let hasPlainStatus = answer.status == 200
        if let status = request["status"].flatMap({ Int($0) }), hasPlainStatus { answer.status = status }
        if let type = request["type"] { answer.fields.replaceOrAdd(name: "Content-Type", value: type) }
        if let cache = request["cache"] { answer.fields.replaceOrAdd(name: "Cache-Control", value: cache) }
        if let cookie = request["set"] { answer.fields.add(name: "Set-Cookie", value: cookie) }
        if request["nosniff"] != nil { answer.fields.add(name: "X-Content-Type-Options", value: "nosniff") }
        if let value = request["frame"] { answer.fields.add(name: "X-Frame-Options", value: value) }
        if let policy = request["csp"] { answer.fields.add(name: "Content-Security-Policy", value: policy) }
        if request["custom"] != nil { answer.fields.add(name: "X-Custom", value: "yes") }
        if let policy = request["policy"] { answer.fields.add(name: "Cross-Origin-Resource-Policy", value: policy) }
        if request["tag"] != nil, answer.status == 200 {
            answer.fields.add(name: "ETag", value: "\"v1\"")
            if request.fields["If-None-Match"].contains("\"v1\"") {
                (answer.status, answer.body) = (304, [])
            }
        }
        allow(request, &answer.fields)
        if answer.rest == nil, !answer.breaksOff, ![204, 304].contains(answer.status) {
            answer.fields.replaceOrAdd(name: "Content-Length", value: String(answer.body.count))
        }
        return answer
    }

    private func allow(_ request: MatrixRequest, _ fields: inout HTTPHeaders) {
        let origin = request.fields.first(name: "Origin") ?? "null"
        switch request["allow"] {
        case "any": fields.add(name: "Access-Control-Allow-Origin", value: "*")
        case "origin", "credentials":
            fields.add(name: "Access-Control-Allow-Origin", value: origin)
            fields.add(name: "Vary", value: "Origin")
        default: break
        }
        if request["allow"] == "credentials" { fields.add(name: "Access-Control-Allow-Credentials", value: "true") }
        if let expose = request["expose"] { fields.add(name: "Access-Control-Expose-Headers", value: expose) }
        if request.method == "OPTIONS", request["grant"] != nil {
            fields.add(name: "Access-Control-Allow-Methods", value: "PUT, PATCH, DELETE")
            fields.add(name: "Access-Control-Allow-Headers", value: "content-type, x-own")
        }
    }
}
