import HTTPCacheSemantics
import NIOCore
import NIOHTTP1

/// The answer to one request: a head and a body in memory.
struct OriginAnswer {
    var status: HTTPResponseStatus
    var fields: HTTPHeaders
    var body: ByteBuffer

    /// Decides how to answer.
    ///
    /// - Parameters:
    ///   - request: The request's place and fields.
    ///   - upload: The body of a POST to `/upload`; `nil` for one that could not be read.
    init(to request: OriginRequest, upload: UploadDigest.Report?, state: OriginState) {
        let site = state.site
        let isRead = request.method == .GET || request.method == .HEAD
        if request.host != site.hosts.shop, request.host != site.hosts.cdn {
            self.init(.misdirectedRequest, text: "No site is called \(request.host) here.\n")
        } else if let served = state.served(host: request.host, path: request.path) {
            if isRead {
                self.init(served, to: request)
            } else if request.method == .OPTIONS, request.field("Access-Control-Request-Method") != nil {
                self.init(preflightFor: served.file)
            } else {
                self.init(.methodNotAllowed, text: "Read only.\n")
            }
        } else if request.host == site.hosts.shop, request.path == "/upload" {
            self.init(upload: upload, to: request)
        } else if request.host == site.hosts.shop, isRead, let json = Self.json(request.path, site, state) {
            self.init(.ok, json: json)
        } else {
            self.init(.notFound, text: "Nothing is at \(request.path).\n")
            if request.host == site.hosts.cdn { fields.add(name: "Access-Control-Allow-Origin", value: "*") }
        }
        if status == .methodNotAllowed { fields.add(name: "Allow", value: "GET, HEAD") }
        // RFC 9110 §6.6.1: an origin server with a clock sends Date.
        fields.add(name: "Date", value: HTTPDate.print(WallInstant(unixSeconds: Int64(state.now()))))
        if status != .notModified, status != .noContent {
            fields.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes))
        }
        if request.method == .HEAD { body.clear() }
    }

    private init(_ status: HTTPResponseStatus, text: String) {
        self.status = status
        fields = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        body = ByteBuffer(string: text)
    }

    private init(_ status: HTTPResponseStatus, json: String) {
        self.status = status
        fields = ["Content-Type": "application/json", "Cache-Control": "no-store"]
        body = ByteBuffer(string: json)
    }

    /// A CORS preflight (Fetch standard), which engines send ahead of a `Range` that they do not hold for simple.
    private init(preflightFor file: DemoFile) {
        status = .noContent
        fields = [:]
        body = ByteBuffer()
        guard file.otherFields.contains(where: { $0.name == "Access-Control-Allow-Origin" }) else { return }
        fields.add(name: "Access-Control-Allow-Origin", value: "*")
        fields.add(name: "Access-Control-Allow-Headers", value: "Range")
        fields.add(name: "Access-Control-Max-Age", value: "600")
    }

    private init(_ served: OriginState.Served, to request: OriginRequest) {
        let file = served.file
        status = HTTPResponseStatus(statusCode: file.status)
        fields = file.fields
        body = served.body
        guard file.status == 200 else { return }
        fields.add(name: "Accept-Ranges", value: "bytes")
        if Precondition.isNotModified(
            ifNoneMatch: request.field("If-None-Match"), ifModifiedSince: request.field("If-Modified-Since"), file: file
        ) {
            status = .notModified
            fields.remove(name: "Content-Type")
            body.clear()
            return
        }
        // §14.2: Range is defined for GET only.
        guard request.method == .GET else { return }
        let length = file.bytes.count
        let range = RangeAnswer(
            range: request.field("Range"), ifRange: request.field("If-Range"), entityTag: file.entityTag,
            lastModified: file.lastModified, length: length)
        switch range {
        case .whole: break
        case .part(let part):
            status = .partialContent
            fields.add(name: "Content-Range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)")
            body.moveReaderIndex(forwardBy: part.lowerBound)
            body.moveWriterIndex(to: part.upperBound)
        case .unsatisfiable:
            status = .rangeNotSatisfiable
            fields.add(name: "Content-Range", value: "bytes */\(length)")
            body.clear()
        }
    }

    private init(upload: UploadDigest.Report?, to request: OriginRequest) {
        guard request.method == .POST else {
            self.init(.methodNotAllowed, text: "Send a form with POST.\n")
            fields.add(name: "Allow", value: "POST")
            return
        }
        guard let upload else {
            self.init(.badRequest, text: "The form ended before its last delimiter.\n")
            return
        }
        let json = "{\"bytes\":\(upload.bytes),\"sha256\":\"\(upload.sha256)\",\"parts\":\(upload.parts)}"
        self.init(.ok, json: json)
        guard request.field("Accept")?.contains("text/html") == true else { return }
        fields.replaceOrAdd(name: "Content-Type", value: "text/html; charset=utf-8")
        body = ByteBuffer(string: Markup.thanks(json: json))
    }

    private static func json(_ path: String, _ site: DemoSite, _ state: OriginState) -> String? {
        switch path {
        case "/api/basket": return "{\"items\":3,\"version\":\(site.version),\"served\":\(state.nextAPICount())}"
        case "/api/products":
            let prices = Product.all.map { "\"\($0.number)\":\($0.cents)" }.joined(separator: ",")
            return "{\"prices\":{\(prices)},\"version\":\(site.version),\"served\":\(state.nextAPICount())}"
        default: return nil
        }
    }
}
