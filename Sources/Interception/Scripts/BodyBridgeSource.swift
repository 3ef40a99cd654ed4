// Written by scripts/page-scripts/join from JavaScript/*.js; change those.

extension BodyHook {
    static let source = #"""
        (mark, schemes) => {
        'use strict';
        const {apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf} = Reflect;
        const {ArrayBuffer, Blob, DOMException, FormData, Headers, Navigator, Promise, Proxy, Request, String, TypeError, URL,
          Uint8Array, WeakMap, XMLHttpRequest, crypto, navigator} = self;
        const page = self, isArray = Array.isArray;
        const method = (prototype, name) => {
          const native = prototype[name];
          return (receiver, ...values) => apply(native, receiver, values);
        };
        const getter = (prototype, name) => {
          const native = getOwnPropertyDescriptor(prototype, name).get;
          return receiver => apply(native, receiver, []);
        };
        const weakGet = method(WeakMap.prototype, 'get');
        const weakSet = method(WeakMap.prototype, 'set');
        const lowerCase = method(String.prototype, 'toLowerCase');
        const upperCase = method(String.prototype, 'toUpperCase');
        const indexOf = method(String.prototype, 'indexOf');
        const slice = method(String.prototype, 'slice');
        const charAt = method(String.prototype, 'charAt');
        const isOf = read => value => {
          try {
            read(value);
            return true;
          } catch {
            return false;
          }
        };
        const argument = (values, index) => values.length > index ? values[index] : undefined;
        const append = (list, value) => defineProperty(list, list.length, {
          __proto__: null, value, writable: true, enumerable: true, configurable: true,
        });
        const natives = new WeakMap();
        const setsPrototype = replacement => (target, prototype) => {
          for (let link = prototype; link; link = getPrototypeOf(link)) {
            if (link === replacement()) throw new TypeError('cyclic __proto__ value');
          }
          return setPrototypeOf(target, prototype);
        };
        const standIn = (holder, name, kind, trap) => {
          const descriptor = holder && getOwnPropertyDescriptor(holder, name);
          if (!descriptor || typeof descriptor.value !== 'function' || !descriptor.configurable) return undefined;
          const native = descriptor.value;
          const replacement = new Proxy(native, {
            __proto__: null,
            [kind]: trap(native, () => replacement),
            setPrototypeOf: setsPrototype(() => replacement),
          });
          weakSet(natives, replacement, native);
          defineProperty(holder, name, {__proto__: null, ...descriptor, value: replacement});
          return {__proto__: null, native, replacement};
        };
        const replace = (holder, name, answer) => {
          standIn(holder, name, 'apply', native => (_, receiver, values) => answer(native, receiver, values));
        };
        const replaceConstructor = (holder, name, answer) => {
          const both = standIn(holder, name, 'construct', (native, replacement) => (_, values, target) =>
            answer(native, values, target === replacement() ? native : target));
          if (!both) return;
          const {prototype} = both.native, made = getOwnPropertyDescriptor(prototype, 'constructor');
          defineProperty(prototype, 'constructor', {__proto__: null, ...made, value: both.replacement});
        };
        replace(Function.prototype, 'toString', (native, receiver, values) =>
          apply(native, (typeof receiver === 'function' && weakGet(natives, receiver)) || receiver, values));
        const blobType = getter(Blob.prototype, 'type');
        const blobSize = getter(Blob.prototype, 'size');
        const blobBytes = method(Blob.prototype, 'arrayBuffer');
        const fileName = getter(File.prototype, 'name');
        const formEntries = method(FormData.prototype, 'entries');
        const nextEntry = method(getPrototypeOf(new FormData().entries()), 'next');
        const encode = method(TextEncoder.prototype, 'encode');
        const encoder = new TextEncoder();
        const setBytes = method(getPrototypeOf(Uint8Array.prototype), 'set');
        const lengthOf = getter(getPrototypeOf(Uint8Array.prototype), 'length');
        const randomValues = method(getPrototypeOf(crypto), 'getRandomValues');
        const isBlob = isOf(blobSize);
        const isForm = isOf(formEntries);
        const snapshot = form => {
          const entries = [], iterator = formEntries(form);
          for (;;) {
            const {done, value} = nextEntry(iterator);
            if (done) return entries;
            append(entries, {__proto__: null, name: value[0], value: value[1]});
          }
        };
        const fileContent = body => {
          if (body === null || typeof body !== 'object') return undefined;
          if (isBlob(body)) return {__proto__: null, blob: body};
          if (!isForm(body)) return undefined;
          const entries = snapshot(body);
          for (let index = 0; index < entries.length; index += 1) {
            if (typeof entries[index].value !== 'string') return {__proto__: null, entries};
          }
          return undefined;
        };
        const lines = text => {
          let result = '';
          for (let index = 0; index < text.length; index += 1) {
            const character = charAt(text, index);
            if (character === '\r') {
              result += '\r\n';
              if (charAt(text, index + 1) === '\n') index += 1;
            } else {
              result += character === '\n' ? '\r\n' : character;
            }
          }
          return result;
        };
        const quoted = text => {
          let result = '';
          for (let index = 0; index < text.length; index += 1) {
            const character = charAt(text, index);
            result += character === '\r' ? '%0D' : character === '\n' ? '%0A' : character === '"' ? '%22' : character;
          }
          return result;
        };
        const boundaryLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB';
        const makeBoundary = () => {
          const random = randomValues(crypto, new Uint8Array(16));
          let result = '----WebKitFormBoundary';
          for (let index = 0; index < 16; index += 1) result += charAt(boundaryLetters, random[index] & 63);
          return result;
        };
        const multipart = async (entries, boundary) => {
          const parts = [];
          let length = 0;
          const add = bytes => {
            append(parts, bytes);
            length += lengthOf(bytes);
          };
          for (let index = 0; index < entries.length; index += 1) {
            const {name, value} = entries[index];
            const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lines(name))}"`;
            if (typeof value === 'string') {
              add(encode(encoder, `${head}\r\n\r\n${lines(value)}\r\n`));
            } else {
              const type = blobType(value) || 'application/octet-stream';
              add(encode(encoder, `${head}; filename="${quoted(fileName(value))}"\r\nContent-Type: ${type}\r\n\r\n`));
              add(new Uint8Array(await blobBytes(value)));
              add(encode(encoder, '\r\n'));
            }
          }
          add(encode(encoder, `--${boundary}--\r\n`));
          const all = new Uint8Array(length);
          for (let index = 0, place = 0; index < parts.length; index += 1) {
            setBytes(all, parts[index], place);
            place += lengthOf(parts[index]);
          }
          return {__proto__: null, bytes: all};
        };
        const blobTexts = new WeakMap();
        const largestText = 65_536;
        replaceConstructor(self, 'Blob', (native, values, target) => {
          const blob = construct(native, values, target), list = argument(values, 0);
          if (!isArray(list) || list.length > 64) return blob;
          let text = '';
          for (let index = 0; index < list.length; index += 1) {
            const part = getOwnPropertyDescriptor(list, index);
            if (!part || typeof part.value !== 'string') return blob;
            text += part.value;
          }
          if (text.length > largestText) return blob;
          const bytes = encode(encoder, text);
          if (lengthOf(bytes) === blobSize(blob)) weakSet(blobTexts, blob, bytes);
          return blob;
        });
        setPrototypeOf(File, self.Blob);
        const blobContent = async blob => ({__proto__: null, bytes: new Uint8Array(await blobBytes(blob))});
        const flatten = ({blob, entries}, boundary = makeBoundary()) => {
          if (!blob) {
            const type = `multipart/form-data; boundary=${boundary}`;
            return {__proto__: null, type, text: undefined, later: multipart(entries, boundary)};
          }
          const text = weakGet(blobTexts, blob);
          return {__proto__: null, type: blobType(blob) || null, text, later: text ? undefined : blobContent(blob)};
        };
        const urlProtocol = getter(URL.prototype, 'protocol');
        const baseURI = getter(Node.prototype, 'baseURI');
        const isHandled = url => {
          let protocol;
          try {
            protocol = urlProtocol(new URL(url, baseURI(document)));
          } catch {
            return false;
          }
          for (let index = 0; index < schemes.length; index += 1) if (schemes[index] === protocol) return true;
          return false;
        };
        const isBodiless = name => {
          const upper = upperCase(name);
          return upper === 'GET' || upper === 'HEAD';
        };
        const urlOf = getter(Request.prototype, 'url');
        const isRequest = isOf(urlOf);
        const contents = new WeakMap();
        const keptContent = input => isRequest(input) ? weakGet(contents, input) : undefined;
        const watched = (init, seen) => {
          if (init === null || typeof init !== 'object' && typeof init !== 'function') return init;
          return new Proxy({__proto__: null}, {
            __proto__: null,
            get: (_, name) => {
              const value = init[name];
              if (name === 'body') seen.body = value;
              return value;
            },
          });
        };
        replaceConstructor(self, 'Request', (native, values, target) => {
          const seen = {__proto__: null, body: undefined};
          if (values.length > 1) values[1] = watched(values[1], seen);
          const kept = keptContent(argument(values, 0));
          const request = construct(native, values, target);
          const content = (seen.body ?? null) === null ? kept : fileContent(seen.body);
          if (content) weakSet(contents, request, content);
          return request;
        });
        replace(Request.prototype, 'clone', (native, receiver, values) => {
          const copy = apply(native, receiver, values), content = keptContent(receiver);
          if (content) weakSet(contents, copy, content);
          return copy;
        });
        const headersGet = method(Headers.prototype, 'get');
        const headersSet = method(Headers.prototype, 'set');
        const headersOf = getter(Request.prototype, 'headers');
        const methodOf = getter(Request.prototype, 'method');
        const modeOf = getter(Request.prototype, 'mode');
        const redirectOf = getter(Request.prototype, 'redirect');
        const credentialsOf = getter(Request.prototype, 'credentials');
        const referrerOf = getter(Request.prototype, 'referrer');
        const policyOf = getter(Request.prototype, 'referrerPolicy');
        const signalOf = getter(Request.prototype, 'signal');
        const isAborted = getter(AbortSignal.prototype, 'aborted');
        const requestBytes = method(Request.prototype, 'arrayBuffer');
        const rejectNatively = Promise.reject;
        const rejected = reason => apply(rejectNatively, Promise, [reason]);
        const fetchNatively = self.fetch;
        const formType = 'multipart/form-data; boundary=';
        const sayWhatIsSent = request => {
          const headers = headersOf(request), accept = headersGet(headers, 'accept');
          const said = `${mark};credentials=${credentialsOf(request)};redirect=${redirectOf(request)}`;
          headersSet(headers, 'accept', accept && accept.length + said.length < 127 ? `${accept}, ${said}` : said);
        };
        const sendNow = (request, bytes) => apply(fetchNatively, undefined, [request, {
          __proto__: null, body: new Uint8Array(bytes), referrer: referrerOf(request), referrerPolicy: policyOf(request),
        }]);
        const sendLater = async (request, later) => sendNow(request, (await later).bytes);
        const restOfRequest = async request => ({__proto__: null, bytes: await requestBytes(request)});
        const send = (input, init) => {
          const seen = {__proto__: null, body: undefined};
          let request;
          try {
            request = construct(Request, [input, watched(init, seen)]);
          } catch (error) {
            return rejected(error);
          }
          if (!isHandled(urlOf(request))) return apply(fetchNatively, undefined, [request]);
          const isUsual = modeOf(request) !== 'no-cors' && redirectOf(request) === 'follow'
            && credentialsOf(request) === 'same-origin';
          if (isBodiless(methodOf(request))) {
            if (!isUsual) sayWhatIsSent(request);
            return apply(fetchNatively, undefined, [request]);
          }
          sayWhatIsSent(request);
          const isGiven = (seen.body ?? null) !== null;
          const content = isGiven ? fileContent(seen.body) : keptContent(input);
          if (isAborted(signalOf(request))) return apply(fetchNatively, undefined, [request]);
          if (!content) {
            if (isGiven || !isRequest(input)) return apply(fetchNatively, undefined, [request]);
            return sendLater(request, restOfRequest(request));
          }
          const headers = headersOf(request), type = headersGet(headers, 'content-type');
          const isNative = type !== null && indexOf(type, formType) === 0;
          const flat = flatten(content, isNative ? slice(type, formType.length) : undefined);
          return flat.text ? sendNow(request, flat.text) : sendLater(request, flat.later);
        };
        replace(self, 'fetch', (native, receiver, values) => {
          const input = argument(values, 0), init = argument(values, 1);
          if (values.length === 0 || receiver !== undefined && receiver !== null && receiver !== page
            || typeof input === 'string' && ((init ?? null) === null || !isHandled(input))) {
            return apply(native, receiver, values);
          }
          return send(input, init);
        });
        const states = new WeakMap();
        const readyState = getter(XMLHttpRequest.prototype, 'readyState');
        const withCredentials = getter(XMLHttpRequest.prototype, 'withCredentials');
        const setField = method(XMLHttpRequest.prototype, 'setRequestHeader');
        const isXHR = isOf(readyState);
        replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
          if (!isXHR(receiver) || values.length < 2) return apply(native, receiver, values);
          values[0] = `${values[0]}`;
          values[1] = `${values[1]}`;
          const result = apply(native, receiver, values);
          weakSet(states, receiver, {
            method: values[0], isAsync: values.length < 3 || !!values[2], isHandled: isHandled(values[1]),
            hasAccept: false, hasType: false, isReading: false,
          });
          return result;
        });
        replace(XMLHttpRequest.prototype, 'setRequestHeader', (native, receiver, values) => {
          const state = isXHR(receiver) && weakGet(states, receiver);
          if (!state || values.length < 2) return apply(native, receiver, values);
          if (state.isReading) return apply(native, new XMLHttpRequest(), values);
          values[0] = `${values[0]}`;
          const result = apply(native, receiver, values);
          const name = lowerCase(values[0]);
          if (name === 'accept') state.hasAccept = true;
          if (name === 'content-type') state.hasType = true;
          return result;
        });
        replace(XMLHttpRequest.prototype, 'abort', (native, receiver, values) => {
          const state = isXHR(receiver) && weakGet(states, receiver);
          if (state && state.isReading) {
            state.isReading = false;
            apply(sendNatively, receiver, ['-']);
          }
          return apply(native, receiver, values);
        });
        const sendNatively = XMLHttpRequest.prototype.send;
        const isDocument = isOf(getter(Node.prototype, 'nodeType'));
        const isParameters = isOf(method(URLSearchParams.prototype, 'toString'));
        const isBuffer = isOf(getter(ArrayBuffer.prototype, 'byteLength'));
        const isView = ArrayBuffer.isView;
        const becomesText = body => (body ?? null) !== null && typeof body !== 'string' && !isView(body) && !isBlob(body)
          && !isForm(body) && !isDocument(body) && !isParameters(body) && !isBuffer(body);
        replace(XMLHttpRequest.prototype, 'send', (native, receiver, values) => {
          const state = isXHR(receiver) && readyState(receiver) === 1 && weakGet(states, receiver);
          if (!state || !state.isHandled) return apply(native, receiver, values);
          if (state.isReading) return apply(native, new XMLHttpRequest(), values);
          if (values.length > 0 && becomesText(values[0])) {
            values[0] = `${values[0]}`;
            if (readyState(receiver) !== 1 || weakGet(states, receiver) !== state) return apply(native, receiver, values);
          }
          const sendsNothing = isBodiless(state.method);
          if (sendsNothing && !withCredentials(receiver)) return apply(native, receiver, values);
          const said = `${mark};credentials=${withCredentials(receiver) ? 'include' : 'same-origin'}`;
          const sayWhatIsSent = () => setField(receiver, 'Accept', state.hasAccept ? said : `*/*, ${said}`);
          const content = sendsNothing ? undefined : fileContent(argument(values, 0));
          if (!content) {
            try {
              sayWhatIsSent();
            } catch {
            }
            return apply(native, receiver, values);
          }
          const flat = flatten(content);
          const sendBytes = bytes => {
            if (flat.type !== null && !state.hasType) setField(receiver, 'Content-Type', flat.type);
            sayWhatIsSent();
            apply(native, receiver, [bytes]);
          };
          if (flat.text) return sendBytes(new Uint8Array(flat.text));
          if (!state.isAsync) throw new DOMException('A network error occurred.', 'NetworkError');
          state.isReading = true;
          (async () => {
            let bytes;
            try {
              bytes = new Uint8Array((await flat.later).bytes);
            } catch {
            }
            if (!state.isReading || weakGet(states, receiver) !== state) return;
            state.isReading = false;
            if (bytes) sendBytes(bytes);
            else apply(native, receiver, values);
          })();
        });
        const isStream = self.ReadableStream ? isOf(getter(ReadableStream.prototype, 'locked')) : () => false;
        const largestQueue = 65_536;
        let waiting = 0;
        replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
          if (receiver !== navigator || values.length === 0) return apply(native, receiver, values);
          values[0] = `${values[0]}`;
          if (!isHandled(values[0])) return apply(native, receiver, values);
          const data = argument(values, 1) ?? null;
          if (data !== null && isStream(data)) return apply(native, receiver, values);
          const content = fileContent(data);
          let isSimple = true;
          if (content && content.blob) {
            const type = blobType(content.blob), end = indexOf(type, ';');
            const essence = end < 0 ? type : slice(type, 0, end);
            isSimple = essence === '' || essence === 'application/x-www-form-urlencoded'
              || essence === 'multipart/form-data' || essence === 'text/plain';
          }
          const mode = isSimple ? 'no-cors' : 'cors';
          const request = construct(Request, [values[0], {
            __proto__: null, method: 'POST', body: data, mode, credentials: 'include', keepalive: true, cache: 'no-cache',
          }]);
          const size = data === null ? 0 : content && content.blob ? blobSize(content.blob)
            : typeof data === 'string' ? lengthOf(encode(encoder, data)) : 0;
          if (waiting + size > largestQueue) return false;
          waiting += size;
          (async () => {
            try {
              await send(request, content ? {__proto__: null, body: data} : undefined);
            } catch {}
            waiting -= size;
          })();
          return true;
        });
        }
        """#
}
