import HTTPTypes

/// The script that makes uploads of pages readable for a scheme handler, and tells it of options that no field shows.
///
/// What a scheme handler gets of a request's content is complete for text and buffers only: a Blob or File inside it is
/// lost on Apple platforms, and reading it crashes WebKitGTK 2.50. The script turns those into buffers before the
/// request leaves, and marks every request whose content it has seen to be readable. The mark is part of `Accept`, which
/// also requests without CORS may set; ``takeMark(from:)`` takes it off again. Requests of other schemes get none.
///
/// It can't help in workers, in synchronous requests with a Blob, and in forms that upload files.
public struct BodyHook: Sendable {
    /// What the script says of a request whose content can be read.
    public struct Mark: Hashable, Sendable {
        /// `credentials` of `fetch`, or `withCredentials`.
        public var credentials: InterceptedRequest.Credentials?
        /// `redirect` of `fetch`.
        public var redirect: InterceptedRequest.Redirect?
    }

    private let token: String
    private let schemes: [String]

    /// - Parameters:
    ///   - token: Text that no page can guess, of letters and digits. A page that knew it could crash the web view's
    ///     process on Linux.
    ///   - schemes: The schemes that the handler answers, without a colon.
    public init(token: String, schemes: [String]) {
        self.token = token
        self.schemes = schemes
    }

    /// Run it at the start of every document, in all frames, in the page's own world.
    public var script: String {
        "(\(Self.source))('\(mark)', [\(schemes.map { "'\($0):'" }.joined(separator: ", "))]);"
    }

    private var mark: String { "larder/\(token)" }

    /// Takes the mark off; `nil` if the script has not seen the request.
    public func takeMark(from fields: inout HTTPFields) -> Mark? {
        guard let accept = fields[.accept] else { return nil }
        let ranges = accept.split(separator: ",").map { $0.drop { $0 == " " } }
        let isMark = { (range: Substring) in range == mark || range.hasPrefix(mark + ";") }
        guard let found = ranges.last(where: isMark) else { return nil }
        let left = ranges.filter { !isMark($0) }.joined(separator: ", ")
        fields[.accept] = left.isEmpty ? "*/*" : left
        func option(_ name: String) -> String? {
            found.split(separator: ";").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        return Mark(
            credentials: option("credentials").flatMap { InterceptedRequest.Credentials(rawValue: $0) },
            redirect: option("redirect").flatMap { InterceptedRequest.Redirect(rawValue: $0) })
    }

    private static let source = #"""
        (mark, schemes) => {
          const {Blob, FormData, Headers, Request, TextEncoder, Uint8Array, XMLHttpRequest, WeakMap, DOMException} = self;
          const fetchNatively = self.fetch, apply = Reflect.apply;
          const encode = text => new TextEncoder().encode(text);
          const hasFile = body => body instanceof Blob
            || body instanceof FormData && [...body.values()].some(value => typeof value !== 'string');
          const lines = text => text.replace(/\r\n|\r|\n/g, '\r\n');
          const quoted = text => lines(text).replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
          // HTML §4.10.21.8. A Response of a form with files can't be read in WebKit 2.50, so it is put together here.
          const multipart = async form => {
            const random = crypto.getRandomValues(new Uint8Array(16));
            const boundary = '----LarderFormBoundary' + [...random].map(n => n.toString(16).padStart(2, '0')).join('');
            const parts = [];
            for (const [name, value] of form.entries()) {
              const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
              if (typeof value === 'string') {
                parts.push(encode(`${head}\r\n\r\n${lines(value)}\r\n`));
              } else {
                const type = value.type || 'application/octet-stream';
                parts.push(encode(`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`),
                  new Uint8Array(await value.arrayBuffer()), encode('\r\n'));
              }
            }
            parts.push(encode(`--${boundary}--\r\n`));
            const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
            let place = 0;
            for (const part of parts) { all.set(part, place); place += part.length; }
            return [all, `multipart/form-data; boundary=${boundary}`];
          };
          const flatten = async body => body instanceof FormData ? multipart(body)
            : [new Uint8Array(await body.arrayBuffer()), body.type || null];
          const bodiless = method => /^(GET|HEAD)$/i.test(method);
          const isHandled = url => {
            try { return schemes.includes(new URL(url, document.baseURI).protocol); } catch { return false; }
          };

          const send = async (input, init) => {
            // A Request whose body is taken here could not be sent any more.
            if (!isHandled(input instanceof Request ? input.url : input)) return fetchNatively(input, init);
            const request = new Request(input, init);
            const {method, mode, redirect, credentials} = request;
            const isUsual = mode !== 'no-cors' && redirect === 'follow' && credentials === 'same-origin';
            if (bodiless(method) && isUsual) return fetchNatively(input, init);
            const headers = new Headers(request.headers);
            const accept = headers.get('accept');
            const said = `${mark};credentials=${credentials};redirect=${redirect}`;
            headers.set('accept', accept ? `${accept}, ${said}` : said);
            const options = {...init, headers};
            if (bodiless(method)) return fetchNatively(input, options);
            const body = init?.body ?? null;
            if (hasFile(body)) {
              const [bytes, type] = await flatten(body);
              const given = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
              if (!given.has('content-type')) type ? headers.set('content-type', type) : headers.delete('content-type');
              options.body = bytes;
            } else if (body === null && input instanceof Request) {
              const bytes = await request.arrayBuffer();
              if (bytes.byteLength > 0 || input.bodyUsed) options.body = bytes;
            } else if (body instanceof FormData) {
              // Its boundary is chosen when it is sent; the one of `request` would not be it.
              headers.delete('content-type');
            }
            return fetchNatively(input, options);
          };
          self.fetch = function fetch(input, init) { return send(input, init); };

          const states = new WeakMap();
          const {open, send: sendNatively, setRequestHeader, abort} = XMLHttpRequest.prototype;
          XMLHttpRequest.prototype.open = function (method, url, isAsync = true, ...rest) {
            states.set(this, {method: String(method), isAsync: !!isAsync, isHandled: isHandled(url), accept: '', type: false});
            return apply(open, this, [method, url, isAsync, ...rest]);
          };
          XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
            const state = states.get(this);
            if (state && /^content-type$/i.test(name)) state.type = true;
            if (state && /^accept$/i.test(name)) state.accept = true;
            return apply(setRequestHeader, this, [name, value]);
          };
          XMLHttpRequest.prototype.abort = function () {
            const state = states.get(this);
            if (state) state.isAborted = true;
            return apply(abort, this, []);
          };
          XMLHttpRequest.prototype.send = function (body) {
            const state = states.get(this);
            if (!state?.isHandled || bodiless(state.method) && !this.withCredentials) {
              return apply(sendNatively, this, [body]);
            }
            const said = `${mark};credentials=${this.withCredentials ? 'include' : 'same-origin'}`;
            // A second value is appended to the first one.
            const setMark = () => apply(setRequestHeader, this, ['Accept', state.accept ? said : `*/*, ${said}`]);
            if (bodiless(state.method) || !hasFile(body)) {
              setMark();
              return apply(sendNatively, this, [body]);
            }
            if (!state.isAsync) {
              throw new DOMException('A synchronous request can not send a Blob or File here.', 'NetworkError');
            }
            flatten(body).then(([bytes, type]) => {
              if (state.isAborted || states.get(this) !== state) return;
              if (type && !state.type) apply(setRequestHeader, this, ['Content-Type', type]);
              setMark();
              apply(sendNatively, this, [bytes]);
            });
          };

          const sendBeacon = navigator.sendBeacon;
          if (sendBeacon) Navigator.prototype.sendBeacon = function (url, data = null) {
            if (!isHandled(url)) return apply(sendBeacon, this, [url, data]);
            // Beacon §3.1: a type that no form could send needs CORS.
            const isSimple = !(data instanceof Blob)
              || /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)? *(;|$)/i.test(data.type);
            const mode = isSimple ? 'no-cors' : 'cors';
            send(url, {method: 'POST', body: data, mode, credentials: 'include', keepalive: true}).catch(() => {});
            return true;
          };
        }
        """#
}
