// Written by scripts/page-scripts/join from JavaScript/*.js; change those.

extension UploadScript {
    static let source = #"""
        (mark, sourceMark, moved, ownField, schemes, concerns) => {
        'use strict';
        const {apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf} = Reflect;
        const {String} = self;
        const method = (prototype, name) => {
          const native = prototype[name];
          return (receiver, ...values) => apply(native, receiver, values);
        };
        const lowerCase = method(String.prototype, 'toLowerCase');
        const indexOf = method(String.prototype, 'indexOf');
        const slice = method(String.prototype, 'slice');
        const charAt = method(String.prototype, 'charAt');
        const append = (list, value) => defineProperty(list, list.length, {
          __proto__: null, value, writable: true, enumerable: true, configurable: true,
        });
        const {AbortController, ArrayBuffer, Blob, DOMException, FormData, Headers, Navigator, ProgressEvent, Promise, Proxy, Request,
          Response, Symbol, TypeError, URL, Uint8Array, WeakMap, XMLHttpRequest, navigator, performance} = self;
        const page = self, isArray = Array.isArray;
        const getter = (prototype, name) => {
          const native = getOwnPropertyDescriptor(prototype, name).get;
          return receiver => apply(native, receiver, []);
        };
        const optionalGetter = (holder, name) => {
          const descriptor = holder && getOwnPropertyDescriptor(holder, name);
          if (!descriptor || !descriptor.get) return () => { throw new TypeError(name); };
          return receiver => apply(descriptor.get, receiver, []);
        };
        const weakGet = method(WeakMap.prototype, 'get');
        const weakSet = method(WeakMap.prototype, 'set');
        const upperCase = method(String.prototype, 'toUpperCase');
        const isOf = read => value => {
          try {
            read(value);
            return true;
          } catch {
            return false;
          }
        };
        const argument = (values, index) => values.length > index ? values[index] : undefined;
        const natives = new WeakMap();
        const setsPrototype = replacement => (target, prototype) => {
          for (let link = prototype; link; link = getPrototypeOf(link)) {
            if (link === replacement()) throw new TypeError('cyclic __proto__ value');
          }
          return setPrototypeOf(target, prototype);
        };
        const standIn = (holder, name, kind, trap, {part = 'value', parent} = {__proto__: null}) => {
          const descriptor = holder && getOwnPropertyDescriptor(holder, name);
          if (!descriptor || typeof descriptor[part] !== 'function' || !descriptor.configurable) return undefined;
          const native = descriptor[part];
          const handler = {
            __proto__: null,
            [kind]: trap(native, () => replacement),
            setPrototypeOf: setsPrototype(() => replacement),
          };
          if (parent) {
            handler.getPrototypeOf = target => {
              const prototype = getPrototypeOf(target);
              return prototype === parent.native ? parent.replacement : prototype;
            };
          }
          const replacement = new Proxy(native, handler);
          weakSet(natives, replacement, native);
          defineProperty(holder, name, {__proto__: null, ...descriptor, [part]: replacement});
          return {__proto__: null, native, replacement};
        };
        const replace = (holder, name, answer, part = 'value') => {
          standIn(holder, name, 'apply', native => (_, receiver, values) => answer(native, receiver, values),
            {__proto__: null, part});
        };
        const replaceAccessor = (holder, name, read, write) => {
          if (read) replace(holder, name, read, 'get');
          if (write) replace(holder, name, write, 'set');
        };
        const replaceConstructor = (holder, name, answer, parent) => {
          const both = standIn(holder, name, 'construct', (native, replacement) => (_, values, target) =>
            answer(native, values, target === replacement() ? native : target), {__proto__: null, parent});
          if (!both) return undefined;
          const {prototype} = both.native, made = getOwnPropertyDescriptor(prototype, 'constructor');
          defineProperty(prototype, 'constructor', {__proto__: null, ...made, value: both.replacement});
          return both;
        };
        replace(Function.prototype, 'toString', (native, receiver, values) =>
          apply(native, (typeof receiver === 'function' && weakGet(natives, receiver)) || receiver, values));
        const blobType = getter(Blob.prototype, 'type');
        const blobSize = getter(Blob.prototype, 'size');
        const blobSlice = method(Blob.prototype, 'slice');
        const blobBytes = method(Blob.prototype, 'arrayBuffer');
        const fileName = getter(File.prototype, 'name');
        const formEntries = method(FormData.prototype, 'entries');
        const nextEntry = method(getPrototypeOf(new FormData().entries()), 'next');
        const encode = method(TextEncoder.prototype, 'encode');
        const encoder = new TextEncoder();
        const encodeUTF8 = text => encode(encoder, text);
        const lengthOf = getter(getPrototypeOf(Uint8Array.prototype), 'length');
        const cryptoOf = getter(self, 'crypto');
        const randomValues = method(self.Crypto.prototype, 'getRandomValues');
        const byteLengthOf = getter(ArrayBuffer.prototype, 'byteLength');
        const arrayLengthOf = getter(getPrototypeOf(Uint8Array.prototype), 'byteLength');
        const viewLengthOf = getter(DataView.prototype, 'byteLength');
        const parametersText = method(URLSearchParams.prototype, 'toString');
        const isBlob = isOf(blobSize);
        const isBuffer = isOf(byteLengthOf);
        const isDataView = isOf(viewLengthOf);
        const isParameters = isOf(parametersText);
        const isView = ArrayBuffer.isView;
        const bufferSize = data => isBuffer(data) ? byteLengthOf(data) : isDataView(data) ? viewLengthOf(data) : arrayLengthOf(data);
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
          if (indexOf(text, '\r') < 0 && indexOf(text, '\n') < 0) return text;
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
        const largestAtOnce = 67_108_864;
        const longContent = body => {
          let blob, type = null;
          if (typeof body === 'string' || isParameters(body)) {
            const text = typeof body === 'string' ? body : parametersText(body);
            if (text.length <= largestAtOnce / 3) return undefined;
            blob = blobOf([text]);
            type = typeof body === 'string' ? 'text/plain;charset=UTF-8' : 'application/x-www-form-urlencoded;charset=UTF-8';
          } else if (isBuffer(body) || isView(body)) {
            if (bufferSize(body) <= largestAtOnce) return undefined;
            blob = blobOf([body]);
          } else if (isForm(body)) {
            const entries = snapshot(body);
            let length = 0;
            for (let index = 0; index < entries.length; index += 1) length += entries[index].name.length + entries[index].value.length;
            return length > largestAtOnce / 3 ? {__proto__: null, entries} : undefined;
          }
          return blob && blobSize(blob) > largestAtOnce ? {__proto__: null, blob, type} : undefined;
        };
        const sentApart = (body, isAsync = true) => fileContent(body) ?? (isAsync ? longContent(body) : undefined);
        const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB';
        const makeName = () => {
          const random = randomValues(cryptoOf(page), new Uint8Array(16));
          let result = '';
          for (let index = 0; index < 16; index += 1) result += charAt(letters, random[index] & 63);
          return result;
        };
        const blobOf = parts => {
          let index = -1;
          return new Blob({
            __proto__: null,
            [Symbol.iterator]: () => ({
              __proto__: null,
              next: () => {
                index += 1;
                return index < parts.length ? {__proto__: null, done: false, value: parts[index]} : {__proto__: null, done: true};
              },
            }),
          });
        };
        const multipart = (entries, boundary, encodeText = encodeUTF8) => {
          const parts = [];
          let text = '';
          for (let index = 0; index < entries.length; index += 1) {
            const {name, value} = entries[index];
            text += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lines(name))}"`;
            if (typeof value === 'string') {
              text += `\r\n\r\n${lines(value)}\r\n`;
            } else {
              const type = blobType(value) || 'application/octet-stream';
              append(parts, encodeText(`${text}; filename="${quoted(fileName(value))}"\r\nContent-Type: ${type}\r\n\r\n`));
              append(parts, value);
              text = '\r\n';
            }
          }
          append(parts, encodeText(`${text}--${boundary}--\r\n`));
          return blobOf(parts);
        };
        const blobTexts = new WeakMap();
        const largestText = 65_536;
        const blobs = replaceConstructor(self, 'Blob', (native, values, target) => {
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
        replaceConstructor(self, 'File', construct, blobs);
        const flatten = ({blob, entries, type}, boundary = `----WebKitFormBoundary${makeName()}`) => {
          if (!blob) {
            const all = multipart(entries, boundary);
            return {__proto__: null, type: `multipart/form-data; boundary=${boundary}`, blob: all, bytes: undefined};
          }
          const bytes = blobSize(blob) === 0 ? new Uint8Array(0) : weakGet(blobTexts, blob);
          return {__proto__: null, type: type ?? (blobType(blob) || null), blob, bytes};
        };
        const headersGet = method(Headers.prototype, 'get');
        const headersSet = method(Headers.prototype, 'set');
        const headersOf = getter(Request.prototype, 'headers');
        const statusOf = getter(Response.prototype, 'status');
        const fetchNatively = self.fetch;
        const signalOfStop = getter(AbortController.prototype, 'signal');
        const abort = method(AbortController.prototype, 'abort');
        const pieceSize = 1_048_576;
        const isTaken = 200, isUnwanted = 410, hasFailed = 0;
        const makePost = (url, signal) => async (said, body) => {
          try {
            const request = construct(Request, [url, {
              __proto__: null, method: 'POST', body, mode: 'cors', credentials: 'omit', cache: 'no-store', redirect: 'error',
              referrerPolicy: 'no-referrer', signal,
            }]);
            headersSet(headersOf(request), 'accept', `${mark};${said}`);
            return statusOf(await apply(fetchNatively, undefined, [request]));
          } catch {
            return hasFailed;
          }
        };
        const noteFault = concern => {
          faults[concern] = (faults[concern] ?? 0) + 1;
          const url = handledURL(baseURI(document));
          if (url) makePost(url)(`fault=${concern}`, undefined);
        };
        const follow = (url, told, name) => {
          const stop = new AbortController(), begun = makePost(url, signalOfStop(stop))(`begin=${name};whole=1`, undefined);
          (async () => told.ended(await begun))();
          return {__proto__: null, name, stop: () => abort(stop)};
        };
        const greatestTogether = 16;
        const turns = [];
        let together = 0, nextTurn = 0;
        const waitForTurn = () => {
          if (together < greatestTogether) {
            together += 1;
            return undefined;
          }
          return new Promise(resolve => { append(turns, resolve); });
        };
        const endTurn = () => {
          const next = nextTurn < turns.length ? turns[nextTurn] : undefined;
          if (!next) {
            together -= 1;
            return;
          }
          turns[nextTurn] = undefined;
          nextTurn += 1;
          next();
        };
        const handOver = (blob, url, told, name = makeName(), form = '', given = undefined) => {
          const stop = new AbortController(), size = blobSize(blob), post = given ?? makePost(url, signalOfStop(stop));
          let isOver = false;
          const begun = post(`begin=${name};length=${size}${form}`, undefined);
          (async () => {
            const status = await begun;
            isOver = true;
            told.ended(status);
          })();
          (async () => {
            const turn = waitForTurn();
            if (turn) await turn;
            try {
              let before;
              for (let start = 0, number = 0; start < size && !isOver; start += pieceSize, number += 1) {
                const end = start + pieceSize < size ? start + pieceSize : size;
                const bytes = new Uint8Array(await blobBytes(blobSlice(blob, start, end)));
                if (before && await before !== isTaken) return;
                if (isOver) return;
                before = (async () => {
                  const status = await post(`piece=${number};upload=${name}`, bytes);
                  if (status === isTaken) told.taken(end);
                  return status;
                })();
              }
              await before;
            } catch {
              post(`failed=${name}`, undefined);
            } finally {
              endTurn();
            }
          })();
          return {__proto__: null, name, stop: () => abort(stop)};
        };
        const tellNobody = {__proto__: null, taken: () => {}, ended: () => {}};
        const greatestFaults = 3;
        const faults = {__proto__: null};
        const isOn = concern => concerns[concern] === true && (faults[concern] ?? 0) < greatestFaults;
        const urlProtocol = getter(URL.prototype, 'protocol');
        const baseURI = getter(Node.prototype, 'baseURI');
        const hrefOf = getter(URL.prototype, 'href');
        const handledURL = url => {
          let resolved, protocol;
          try {
            resolved = new URL(url, baseURI(document));
            protocol = urlProtocol(resolved);
          } catch {
            return undefined;
          }
          for (let index = 0; index < schemes.length; index += 1) if (schemes[index] === protocol) return hrefOf(resolved);
          return undefined;
        };
        const isHandled = url => handledURL(url) !== undefined;
        const {origin} = self, urlHost = getter(URL.prototype, 'host');
        const provesOwn = url => {
          const parsed = new URL(url), protocol = urlProtocol(parsed);
          return protocol !== 'https:' && `${protocol}//${urlHost(parsed)}` === origin;
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
          const content = (seen.body ?? null) === null ? kept : sentApart(seen.body);
          if (content) weakSet(contents, request, content);
          return request;
        });
        replace(Request.prototype, 'clone', (native, receiver, values) => {
          const copy = apply(native, receiver, values), content = keptContent(receiver);
          if (content) weakSet(contents, copy, content);
          return copy;
        });
        const methodOf = getter(Request.prototype, 'method');
        const modeOf = getter(Request.prototype, 'mode');
        const redirectOf = getter(Request.prototype, 'redirect');
        const credentialsOf = getter(Request.prototype, 'credentials');
        const referrerOf = getter(Request.prototype, 'referrer');
        const policyOf = getter(Request.prototype, 'referrerPolicy');
        const keepaliveOf = getter(Request.prototype, 'keepalive');
        const cacheOf = getter(Request.prototype, 'cache');
        const signalOf = getter(Request.prototype, 'signal');
        const isAborted = getter(AbortSignal.prototype, 'aborted');
        const requestBytes = method(Request.prototype, 'arrayBuffer');
        const rejectNatively = Promise.reject;
        const rejected = reason => apply(rejectNatively, Promise, [reason]);
        const formType = 'multipart/form-data; boundary=';
        const largestKeptAlive = 65_536;
        const conditions = ['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since'];
        const isConditional = headers => {
          for (let index = 0; index < conditions.length; index += 1) {
            if (headersGet(headers, conditions[index]) !== null) return true;
          }
          return false;
        };
        const cacheModeOf = request => {
          const mode = cacheOf(request);
          return mode !== 'default' ? mode : isConditional(headersOf(request)) ? 'no-store' : '';
        };
        const optionsOf = request => {
          const cache = isBodiless(methodOf(request)) ? cacheModeOf(request) : '', policy = policyOf(request);
          return `${keepaliveOf(request) ? ';keepalive=1' : ''}${cache && `;cache=${cache}`}${policy && `;policy=${policy}`}`;
        };
        const sayWhatIsSent = (request, by, upload = '', options = optionsOf(request)) => {
          const headers = headersOf(request), accept = headersGet(headers, 'accept');
          const usual = `${mark};by=${by};credentials=${credentialsOf(request)};redirect=${redirectOf(request)}${upload}`;
          const said = modeOf(request) === 'no-cors' && usual.length + options.length > 128 ? usual : usual + options;
          const fits = modeOf(request) !== 'no-cors' || accept && accept.length + said.length < 127;
          headersSet(headers, 'accept', accept && fits ? `${accept}, ${said}` : said);
        };
        const longestAccept = 126;
        const justSeen = `${mark};seen=1`;
        const sayItIsSeen = request => {
          const headers = headersOf(request), accept = headersGet(headers, 'accept') ?? '*/*';
          if (modeOf(request) === 'no-cors' || accept.length + justSeen.length > longestAccept) return;
          headersSet(headers, 'accept', `${accept}, ${justSeen}`);
        };
        const sendNow = (request, bytes) => apply(fetchNatively, undefined, [request, {
          __proto__: null, body: new Uint8Array(bytes), referrer: referrerOf(request), referrerPolicy: policyOf(request),
        }]);
        const sendLater = async (request, by) => {
          const bytes = await requestBytes(request), long = longContent(bytes);
          if (long) return sendInPieces(request, by, long.blob);
          sayWhatIsSent(request, by);
          return sendNow(request, bytes);
        };
        const sendInPieces = async (request, by, blob) => {
          const upload = handOver(blob, urlOf(request), tellNobody);
          sayWhatIsSent(request, by, `;upload=${upload.name}`);
          try {
            return await sendNow(request, 0);
          } catch (error) {
            upload.stop();
            throw error;
          }
        };
        const sayItIsOwn = request => {
          if (!provesOwn(urlOf(request))) return request;
          const own = modeOf(request) !== 'no-cors' ? request : construct(Request, [request, {
            __proto__: null, mode: 'same-origin', referrer: referrerOf(request), referrerPolicy: policyOf(request),
          }]);
          headersSet(headersOf(own), ownField, '1');
          return own;
        };
        const sendHandled = (given, by, input, body) => {
          const request = sayItIsOwn(given);
          const sendNatively = () => apply(fetchNatively, undefined, [request]);
          const isUsual = modeOf(request) !== 'no-cors' && redirectOf(request) === 'follow'
            && credentialsOf(request) === 'same-origin';
          if (isBodiless(methodOf(request))) {
            const options = optionsOf(request);
            if (!isUsual || options) sayWhatIsSent(request, by, '', options);
            else sayItIsSeen(request);
            return sendNatively();
          }
          const isGiven = (body ?? null) !== null;
          const content = isGiven ? sentApart(body) : keptContent(input);
          if (isAborted(signalOf(request))) return sendNatively();
          if (!content) {
            if (!isGiven && isRequest(input) && by !== 'beacon') return sendLater(request, by);
            sayWhatIsSent(request, by);
            return sendNatively();
          }
          const type = headersGet(headersOf(request), 'content-type');
          const isNative = type !== null && indexOf(type, formType) === 0;
          const {blob, bytes} = flatten(content, isNative ? slice(type, formType.length) : undefined);
          if (keepaliveOf(request) && blobSize(blob) > largestKeptAlive) return sendNatively();
          if (!bytes) return sendInPieces(request, by, blob);
          sayWhatIsSent(request, by);
          return sendNow(request, bytes);
        };
        const send = (by, input, init) => {
          const seen = {__proto__: null, body: undefined};
          let request;
          try {
            request = construct(Request, [input, watched(init, seen)]);
          } catch (error) {
            return rejected(error);
          }
          if (isHandled(urlOf(request))) {
            try {
              return sendHandled(request, by, input, seen.body);
            } catch {
              noteFault(by);
            }
          }
          return apply(fetchNatively, undefined, [request]);
        };
        replace(self, 'fetch', (native, receiver, values) => {
          const input = argument(values, 0), init = argument(values, 1), url = typeof input === 'string' ? handledURL(input) : undefined;
          if (!isOn('fetch') || values.length === 0 || receiver !== undefined && receiver !== null && receiver !== page
            || typeof input === 'string' && !url) {
            return apply(native, receiver, values);
          }
          if (typeof input === 'string' && (init ?? null) === null) {
            const headers = {__proto__: null, accept: `*/*, ${justSeen}`};
            if (provesOwn(url)) headers[ownField] = '1';
            return apply(native, receiver, [input, {__proto__: null, headers}]);
          }
          return send('fetch', input, init);
        });
        const states = new WeakMap();
        const readyState = getter(XMLHttpRequest.prototype, 'readyState');
        const withCredentials = getter(XMLHttpRequest.prototype, 'withCredentials');
        const uploadOf = getter(XMLHttpRequest.prototype, 'upload');
        const setField = method(XMLHttpRequest.prototype, 'setRequestHeader');
        const statusOfXHR = getter(XMLHttpRequest.prototype, 'status');
        const timeoutOf = getter(XMLHttpRequest.prototype, 'timeout');
        const dispatch = method(EventTarget.prototype, 'dispatchEvent');
        const listen = method(EventTarget.prototype, 'addEventListener');
        const stopListening = method(EventTarget.prototype, 'removeEventListener');
        const typeOf = getter(Event.prototype, 'type');
        const totalOf = getter(ProgressEvent.prototype, 'total');
        const stopNow = method(Event.prototype, 'stopImmediatePropagation');
        const currentTargetOf = getter(Event.prototype, 'currentTarget');
        const now = method(getPrototypeOf(performance), 'now');
        const isXHR = isOf(readyState);
        const leastTime = 50;
        const makeTeller = (request, total) => {
          const target = uploadOf(request), start = now(performance), isNative = total === undefined;
          let loaded = 0, told = start;
          const tell = (name, done, all) => dispatch(target, construct(ProgressEvent, [name, {
            __proto__: null, lengthComputable: all > 0, loaded: done, total: all,
          }]));
          const teller = {
            __proto__: null,
            total,
            isOver: false,
            begin: () => {
              if (!isNative) tell('loadstart', 0, total);
            },
            taken: bytes => {
              if (teller.isOver) return;
              loaded = bytes;
              if (bytes === total) return teller.end('load');
              const time = now(performance);
              if (time - told < leastTime) return;
              told = time;
              tell('progress', loaded, total);
            },
            ended: status => {
              if (status === isTaken && isNative) teller.end('load');
              if (status === hasFailed) teller.end('error');
            },
            end: name => {
              if (teller.isOver || isNative && name !== 'load') return;
              teller.isOver = true;
              const all = name === 'load' ? teller.total : 0;
              if (all === undefined) return;
              if (name === 'load') tell('progress', all, all);
              tell(name, all, all);
              tell('loadend', all, all);
            },
            changed: () => {
              const state = readyState(request);
              if (state >= 2 && isNative && statusOfXHR(request) !== 0) teller.end('load');
              if (state !== 4 || statusOfXHR(request) !== 0) return;
              const limit = timeoutOf(request);
              teller.end(limit > 0 && now(performance) - start >= limit ? 'timeout' : 'error');
            },
          };
          return teller;
        };
        const watchedRequests = new WeakMap();
        const watchUpload = (request, upload) => {
          if (weakGet(watchedRequests, request)) return;
          weakSet(watchedRequests, request, true);
          const hear = event => {
            const state = weakGet(states, request), teller = state && state.teller;
            if (!teller || !event.isTrusted) return;
            if (typeOf(event) === 'loadstart') teller.total = totalOf(event);
            else if (teller.isOver) stopNow(event);
          };
          for (let index = 0, names = ['loadstart', 'abort', 'error', 'timeout', 'loadend']; index < 5; index += 1) {
            listen(upload, names[index], hear);
          }
        };
        replaceAccessor(XMLHttpRequest.prototype, 'upload', (native, receiver, values) => {
          const upload = apply(native, receiver, values);
          watchUpload(receiver, upload);
          return upload;
        });
        const giveUp = (request, event) => {
          const state = weakGet(states, request);
          if (!state || !state.upload) return;
          const {upload, teller} = state;
          state.upload = undefined;
          stopListening(request, 'readystatechange', teller.changed);
          if (event && readyState(request) !== 4) teller.end(event);
          upload.stop();
        };
        const hearError = event => {
          const request = currentTargetOf(event), state = event.isTrusted && isXHR(request) && weakGet(states, request);
          if (!state || !(state.limit > 0) || now(performance) - state.start < state.limit) return;
          stopNow(event);
          dispatch(request, construct(ProgressEvent, ['timeout', {__proto__: null, loaded: 0, total: 0}]));
        };
        replaceConstructor(self, 'XMLHttpRequest', (native, values, target) => {
          const request = construct(native, values, target);
          listen(request, 'error', hearError);
          return request;
        });
        replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
          if (!isXHR(receiver) || values.length < 2) return apply(native, receiver, values);
          values[0] = `${values[0]}`;
          values[1] = `${values[1]}`;
          const result = apply(native, receiver, values);
          giveUp(receiver);
          weakSet(states, receiver, {
            __proto__: null, method: values[0], isAsync: values.length < 3 || !!values[2], url: handledURL(values[1]),
            hasAccept: false, acceptLength: 0, hasType: false, hasCondition: false, upload: undefined, teller: undefined, limit: 0, start: 0,
          });
          return result;
        });
        replace(XMLHttpRequest.prototype, 'setRequestHeader', (native, receiver, values) => {
          const state = isXHR(receiver) && weakGet(states, receiver);
          if (!state || values.length < 2) return apply(native, receiver, values);
          values[0] = `${values[0]}`;
          const result = apply(native, receiver, values);
          const name = lowerCase(values[0]);
          if (name === 'accept') {
            state.hasAccept = true;
            state.acceptLength += typeof values[1] === 'string' ? values[1].length + 2 : longestAccept;
          }
          if (name === 'content-type') state.hasType = true;
          for (let index = 0; index < conditions.length; index += 1) if (name === conditions[index]) state.hasCondition = true;
          return result;
        });
        replace(XMLHttpRequest.prototype, 'abort', (native, receiver, values) => {
          if (isXHR(receiver)) giveUp(receiver, 'abort');
          return apply(native, receiver, values);
        });
        const isDocument = isOf(getter(Node.prototype, 'nodeType'));
        const becomesText = body => (body ?? null) !== null && typeof body !== 'string' && !isView(body) && !isBlob(body)
          && !isForm(body) && !isDocument(body) && !isParameters(body) && !isBuffer(body);
        const planOf = (request, state, values) => {
          const sendsNothing = isBodiless(state.method);
          state.limit = state.isAsync ? timeoutOf(request) : 0;
          state.start = now(performance);
          const options = `${state.limit > 0 ? `;timeout=${state.limit}` : ''}${state.hasCondition ? ';cache=no-store' : ''}`;
          if (sendsNothing && !options && !withCredentials(request)) {
            if (state.acceptLength + justSeen.length > longestAccept) return undefined;
            return {
              __proto__: null, name: undefined, isHandedOver: false, type: null, sent: values,
              accept: state.hasAccept ? justSeen : `*/*, ${justSeen}`,
            };
          }
          const body = sendsNothing ? null : argument(values, 0) ?? null;
          const content = sentApart(body, state.isAsync), flat = content && flatten(content);
          const isHandedOver = flat !== undefined && !flat.bytes;
          const isFollowed = !isHandedOver && body !== null && state.isAsync && weakGet(watchedRequests, request);
          const name = isHandedOver || isFollowed ? makeName() : undefined;
          const credentials = withCredentials(request) ? 'include' : 'same-origin';
          const said = `${mark};by=xhr;credentials=${credentials}${options}${name ? `;upload=${name}` : ''}`;
          return {
            __proto__: null, name, isHandedOver,
            blob: isHandedOver ? flat.blob : undefined,
            type: flat && !state.hasType ? flat.type : null,
            accept: state.hasAccept ? said : `*/*, ${said}`,
            sent: isHandedOver ? [] : flat ? [new Uint8Array(flat.bytes)] : values,
          };
        };
        replace(XMLHttpRequest.prototype, 'send', (native, receiver, values) => {
          let state = isXHR(receiver) && readyState(receiver) === 1 && weakGet(states, receiver);
          if (!isOn('xhr') || !state || !state.url) return apply(native, receiver, values);
          if (values.length > 0 && becomesText(values[0])) {
            values[0] = `${values[0]}`;
            state = readyState(receiver) === 1 && weakGet(states, receiver);
            if (!state || !state.url) return apply(native, receiver, values);
          }
          let plan;
          try {
            if (provesOwn(state.url)) setField(receiver, ownField, '1');
          } catch {
            return apply(native, receiver, values);
          }
          try {
            plan = planOf(receiver, state, values);
          } catch {
            noteFault('xhr');
          }
          if (!plan) return apply(native, receiver, values);
          if (plan.isHandedOver && !state.isAsync) throw new DOMException('A network error occurred.', 'NetworkError');
          try {
            setField(receiver, 'Accept', plan.accept);
            if (plan.type !== null) setField(receiver, 'Content-Type', plan.type);
          } catch {
            return apply(native, receiver, values);
          }
          if (!plan.name) return apply(native, receiver, plan.sent);
          const teller = makeTeller(receiver, plan.isHandedOver ? blobSize(plan.blob) : undefined);
          const upload = plan.isHandedOver
            ? handOver(plan.blob, state.url, teller, plan.name) : follow(state.url, teller, plan.name);
          state.upload = upload;
          state.teller = teller;
          listen(receiver, 'readystatechange', teller.changed);
          apply(native, receiver, plan.sent);
          if (state.upload === upload) teller.begin();
        });
        const endOfURL = ' =';
        const redirectIn = text => {
          if (slice(text, 0, moved.length) !== moved) return undefined;
          const end = indexOf(text, endOfURL);
          return end < 0 ? undefined
            : {__proto__: null, url: slice(text, moved.length + 1, end), text: slice(text, end + endOfURL.length)};
        };
        const showRedirects = (prototype, names) => {
          const statusText = getter(prototype, 'statusText');
          replaceAccessor(prototype, 'statusText', (native, receiver, values) => {
            const text = apply(native, receiver, values), redirect = redirectIn(text);
            return redirect ? redirect.text : text;
          });
          replaceAccessor(prototype, names.url, (native, receiver, values) => {
            const url = apply(native, receiver, values), redirect = url !== '' && redirectIn(statusText(receiver));
            return redirect ? redirect.url : url;
          });
          if (!names.redirected) return;
          replaceAccessor(prototype, names.redirected, (native, receiver, values) =>
            apply(native, receiver, values) || redirectIn(statusText(receiver)) !== undefined);
        };
        showRedirects(Response.prototype, {__proto__: null, url: 'url', redirected: 'redirected'});
        showRedirects(XMLHttpRequest.prototype, {__proto__: null, url: 'responseURL', redirected: undefined});
        const {FormDataEvent, TextDecoder} = self;
        const formDataOf = getter(FormDataEvent.prototype, 'formData');
        const submitterOf = getter(SubmitEvent.prototype, 'submitter');
        const targetOf = getter(Event.prototype, 'target');
        const phaseOf = getter(Event.prototype, 'eventPhase');
        const wasPrevented = getter(Event.prototype, 'defaultPrevented');
        const deleteEntry = method(FormData.prototype, 'delete');
        const appendEntry = method(FormData.prototype, 'append');
        const hasAttribute = method(Element.prototype, 'hasAttribute');
        const charsetOf = getter(Document.prototype, 'characterSet');
        const acceptedCharset = getter(HTMLFormElement.prototype, 'acceptCharset');
        const getEntry = method(FormData.prototype, 'get');
        const apart = `${mark};apart`;
        let lastReply = 0;
        const makeFormPost = url => {
          const postHere = makePost(url);
          return async (said, body) => {
            const parts = construct(FormData, []), reply = `${apart};reply=${lastReply += 1}`;
            appendEntry(parts, 'url', url);
            appendEntry(parts, 'accept', `${mark};${said}`);
            appendEntry(parts, 'reply', reply);
            if (body) appendEntry(parts, 'body', blobOf([body]));
            const answered = new Promise(resolve => {
              listen(self, reply, event => resolve(+getEntry(formDataOf(event), 'status')), {__proto__: null, once: true});
            });
            const event = construct(FormDataEvent, [apart, {__proto__: null, cancelable: true, formData: parts}]);
            return await (dispatch(self, event) ? postHere(said, body) : answered);
          };
        };
        const ofForm = {__proto__: null};
        const ofButton = {__proto__: null};
        const ofInput = {__proto__: null};
        for (let index = 0, names = ['Action', 'Enctype', 'Method', 'Target']; index < 4; index += 1) {
          const name = names[index];
          ofForm[name] = getter(HTMLFormElement.prototype, lowerCase(name));
          ofButton[name] = getter(HTMLButtonElement.prototype, `form${name}`);
          ofInput[name] = getter(HTMLInputElement.prototype, `form${name}`);
        }
        const isButton = isOf(ofButton.Action);
        const submissionOption = (name, form, submitter) => {
          if (!submitter || !hasAttribute(submitter, `form${lowerCase(name)}`)) return ofForm[name](form);
          return (isButton(submitter) ? ofButton : ofInput)[name](submitter);
        };
        let reading = 0;
        replaceConstructor(self, 'FormData', (native, values, target) => {
          if (argument(values, 0) === undefined) return construct(native, values, target);
          reading += 1;
          try {
            return construct(native, values, target);
          } finally {
            reading -= 1;
          }
        });
        let submission;
        listen(self, 'submit', event => {
          if (event.isTrusted) submission = event;
        }, true);
        const takeSubmitter = form => {
          const event = submission;
          if (!event || targetOf(event) !== form || phaseOf(event) !== 0 || wasPrevented(event)) return null;
          submission = undefined;
          return submitterOf(event);
        };
        const isTop = self === self.top, nameOf = optionalGetter(self, 'name');
        const leavesPage = target => {
          const text = lowerCase(target);
          return text === '_blank' || isTop && text !== '' && charAt(text, 0) !== '_' && text !== lowerCase(nameOf(self));
        };
        const decodeBytes = method(TextDecoder.prototype, 'decode');
        const encodingOf = getter(TextDecoder.prototype, 'encoding');
        const codePointAt = method(String.prototype, 'codePointAt');
        const singleByte = ['windows-', 'iso-8859-', 'koi8-', 'macintosh', 'x-mac-', 'ibm866'];
        const singleByteEncoder = decoder => {
          const bytes = {__proto__: null}, one = new Uint8Array(1);
          for (let byte = 0; byte < 256; byte += 1) {
            one[0] = byte;
            bytes[decodeBytes(decoder, one)] = byte;
          }
          return text => {
            const list = [];
            for (let index = 0; index < text.length; index += 1) {
              const character = charAt(text, index), byte = bytes[character];
              if (byte !== undefined && character !== '\uFFFD') {
                append(list, byte);
                continue;
              }
              const code = codePointAt(text, index), entity = encode(encoder, `&#${code};`);
              for (let at = 0; at < lengthOf(entity); at += 1) append(list, entity[at]);
              if (code > 0xFFFF) index += 1;
            }
            const result = new Uint8Array(list.length);
            for (let index = 0; index < list.length; index += 1) result[index] = list[index];
            return result;
          };
        };
        const isASCII = entries => {
          for (let index = 0; index < entries.length; index += 1) {
            const {name, value} = entries[index], text = name + (typeof value === 'string' ? value : fileName(value));
            if (lengthOf(encode(encoder, text)) !== text.length) return false;
          }
          return true;
        };
        const encoderOf = (form, entries) => {
          let decoder;
          try {
            const accepted = acceptedCharset(form);
            decoder = new TextDecoder(accepted === '' ? charsetOf(document) : accepted);
          } catch {
            return undefined;
          }
          const name = encodingOf(decoder);
          if (name === 'utf-8' || slice(name, 0, 6) === 'utf-16' || isASCII(entries)) return encodeUTF8;
          for (let index = 0; index < singleByte.length; index += 1) {
            if (slice(name, 0, singleByte[index].length) === singleByte[index]) return singleByteEncoder(decoder);
          }
          return undefined;
        };
        const putNameInPlace = event => {
          if (!event.isTrusted || reading > 0) return;
          const form = targetOf(event), submitter = takeSubmitter(form);
          const url = handledURL(submissionOption('Action', form, submitter));
          if (!url || submissionOption('Method', form, submitter) !== 'post'
            || submissionOption('Enctype', form, submitter) !== 'multipart/form-data') return;
          const data = formDataOf(event), entries = snapshot(data), encodeText = encoderOf(form, entries), name = makeName();
          if (!encodeText) return;
          const held = leavesPage(submissionOption('Target', form, submitter)) ? '1' : 'held';
          handOver(multipart(entries, `----WebKitFormBoundary${name}`, encodeText), url, tellNobody, name, `;form=${held}`,
            makeFormPost(url));
          for (let index = 0; index < entries.length; index += 1) deleteEntry(data, entries[index].name);
          appendEntry(data, name, '');
        };
        const readForm = event => {
          try {
            if (isOn('form')) putNameInPlace(event);
          } catch {
            noteFault('form');
          }
        };
        listen(self, 'formdata', () => {
          stopListening(self, 'formdata', readForm);
          listen(self, 'formdata', readForm);
        }, true);
        const isStream = self.ReadableStream ? isOf(getter(ReadableStream.prototype, 'locked')) : () => false;
        const largestQueue = 65_536;
        let waiting = 0;
        const textSize = text => lengthOf(encodeUTF8(text));
        const beaconSize = data => {
          if (typeof data === 'string') return textSize(data);
          if (isBlob(data)) return blobSize(data);
          if (isBuffer(data) || isView(data)) return bufferSize(data);
          if (isParameters(data)) return textSize(parametersText(data));
          let size = 0;
          if (isForm(data)) {
            for (let index = 0, entries = snapshot(data); index < entries.length; index += 1) {
              const {name, value} = entries[index];
              size += textSize(name) + (typeof value === 'string' ? textSize(value) : blobSize(value));
            }
          }
          return size;
        };
        replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
          if (!isOn('beacon') || receiver !== navigator || values.length === 0) return apply(native, receiver, values);
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
          const size = data === null ? 0 : beaconSize(data);
          if (waiting + size > largestQueue) return false;
          waiting += size;
          (async () => {
            try {
              await send('beacon', request, content ? {__proto__: null, body: data} : undefined);
            } catch {}
            waiting -= size;
          })();
          return true;
        });
        const hashOf = getter(URL.prototype, 'hash');
        const sourceURLs = new WeakMap();
        replaceConstructor(self, 'EventSource', (native, values, target) => {
          const options = argument(values, 1);
          if (!isOn('eventSource') || values.length === 0 || (options ?? null) !== null && typeof options !== 'object') {
            return construct(native, values, target);
          }
          const url = `${values[0]}`, withCredentials = !!options?.withCredentials, handled = handledURL(url);
          const converted = {__proto__: null, withCredentials};
          if (!handled || !withCredentials && indexOf(handled, 'app-cache-https:') !== 0) return construct(native, [url, converted], target);
          const plain = slice(handled, 0, handled.length - hashOf(new URL(handled)).length);
          const source = construct(native, [`${plain}#${sourceMark};by=eventSource${withCredentials ? ';credentials=include' : ''}`, converted], target);
          weakSet(sourceURLs, source, handled);
          return source;
        });
        if (self.EventSource) {
          replaceAccessor(EventSource.prototype, 'url', (native, receiver, values) => {
            const url = apply(native, receiver, values);
            const ours = weakGet(sourceURLs, receiver);
            const place = ours === undefined && typeof url === 'string' ? indexOf(url, `#${sourceMark};`) : -1;
            return ours ?? (place < 0 ? url : slice(url, 0, place));
          });
        }
        }
        """#
}
