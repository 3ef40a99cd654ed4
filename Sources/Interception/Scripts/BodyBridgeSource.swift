// Written by scripts/page-scripts/join from JavaScript/*.js; change those.

extension BodyHook {
    static let source = #"""
        (mark, schemes) => {
        'use strict';
        const {apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf} = Reflect;
        const {Blob, DOMException, FormData, Headers, Navigator, Promise, Proxy, Request, String, URL, Uint8Array, WeakMap,
          XMLHttpRequest} = self;
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
        const natives = new WeakMap();
        const replace = (holder, name, answer) => {
          const descriptor = holder && getOwnPropertyDescriptor(holder, name);
          if (!descriptor || typeof descriptor.value !== 'function' || !descriptor.configurable) return;
          const native = descriptor.value;
          const replacement = new Proxy(native, {
            __proto__: null,
            apply: (_, receiver, values) => answer(native, receiver, values),
          });
          weakSet(natives, replacement, native);
          defineProperty(holder, name, {__proto__: null, ...descriptor, value: replacement});
        };
        const replaceConstructor = (holder, name, answer) => {
          const descriptor = getOwnPropertyDescriptor(holder, name);
          if (!descriptor || typeof descriptor.value !== 'function' || !descriptor.configurable) return;
          const native = descriptor.value;
          const replacement = new Proxy(native, {
            __proto__: null,
            construct: (_, values, target) => answer(native, values, target === replacement ? native : target),
          });
          weakSet(natives, replacement, native);
          defineProperty(holder, name, {__proto__: null, ...descriptor, value: replacement});
          const made = getOwnPropertyDescriptor(native.prototype, 'constructor');
          defineProperty(native.prototype, 'constructor', {__proto__: null, ...made, value: replacement});
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
        const randomValues = method(getPrototypeOf(crypto), 'getRandomValues');
        const isBlob = isOf(blobSize);
        const isForm = isOf(formEntries);
        const snapshot = form => {
          const entries = [], iterator = formEntries(form);
          for (;;) {
            const {done, value} = nextEntry(iterator);
            if (done) return entries;
            entries[entries.length] = {name: value[0], value: value[1]};
          }
        };
        const fileContent = body => {
          if (body === null || typeof body !== 'object') return undefined;
          if (isBlob(body)) return {blob: body};
          if (!isForm(body)) return undefined;
          const entries = snapshot(body);
          for (let index = 0; index < entries.length; index += 1) {
            if (typeof entries[index].value !== 'string') return {entries};
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
            parts[parts.length] = bytes;
            length += bytes.length;
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
            place += parts[index].length;
          }
          return all;
        };
        const blobContent = async blob => new Uint8Array(await blobBytes(blob));
        const flatten = ({blob, entries}, boundary = makeBoundary()) => blob
          ? {type: blobType(blob) || null, bytes: blobContent(blob)}
          : {type: `multipart/form-data; boundary=${boundary}`, bytes: multipart(entries, boundary)};
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
          return new Proxy(init, {
            __proto__: null,
            get: (target, name) => {
              const value = target[name];
              if (name === 'body') seen.body = value;
              return value;
            },
          });
        };
        replaceConstructor(self, 'Request', (native, values, target) => {
          const seen = {body: undefined};
          if (values.length > 1) values[1] = watched(values[1], seen);
          const kept = values.length > 0 ? keptContent(values[0]) : undefined;
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
        const requestBytes = method(Request.prototype, 'arrayBuffer');
        const rejectNatively = Promise.reject;
        const rejected = reason => apply(rejectNatively, Promise, [reason]);
        const fetchNatively = self.fetch;
        const formType = 'multipart/form-data; boundary=';
        const sayWhatIsSent = request => {
          const headers = headersOf(request), accept = headersGet(headers, 'accept');
          const said = `${mark};credentials=${credentialsOf(request)};redirect=${redirectOf(request)}`;
          headersSet(headers, 'accept', accept ? `${accept}, ${said}` : said);
        };
        const sendBytes = async (request, bytes) =>
          apply(fetchNatively, undefined, [request, {__proto__: null, body: await bytes}]);
        const send = (input, init) => {
          const seen = {body: undefined};
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
          if (!content) {
            if (isGiven || !isRequest(input)) return apply(fetchNatively, undefined, [request]);
            return sendBytes(request, requestBytes(request));
          }
          const headers = headersOf(request), type = headersGet(headers, 'content-type');
          const isNative = type !== null && indexOf(type, formType) === 0;
          const flat = flatten(content, isNative ? slice(type, formType.length) : undefined);
          return sendBytes(request, flat.bytes);
        };
        replace(self, 'fetch', (native, receiver, values) => {
          if (values.length === 0 || receiver !== undefined && receiver !== null && receiver !== self) {
            return apply(native, receiver, values);
          }
          return send(values[0], values[1]);
        });
        const states = new WeakMap();
        const readyState = getter(XMLHttpRequest.prototype, 'readyState');
        const withCredentials = getter(XMLHttpRequest.prototype, 'withCredentials');
        const setField = method(XMLHttpRequest.prototype, 'setRequestHeader');
        const abortNatively = method(XMLHttpRequest.prototype, 'abort');
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
        const invalidState = () => new DOMException('The object is in an invalid state.', 'InvalidStateError');
        replace(XMLHttpRequest.prototype, 'setRequestHeader', (native, receiver, values) => {
          const state = isXHR(receiver) && weakGet(states, receiver);
          if (!state || values.length < 2) return apply(native, receiver, values);
          if (state.isReading) throw invalidState();
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
            apply(sendNatively, receiver, []);
          }
          return apply(native, receiver, values);
        });
        const sendNatively = XMLHttpRequest.prototype.send;
        replace(XMLHttpRequest.prototype, 'send', (native, receiver, values) => {
          const state = isXHR(receiver) && readyState(receiver) === 1 && weakGet(states, receiver);
          if (!state || !state.isHandled) return apply(native, receiver, values);
          if (state.isReading) throw invalidState();
          const sendsNothing = isBodiless(state.method);
          if (sendsNothing && !withCredentials(receiver)) return apply(native, receiver, values);
          const said = `${mark};credentials=${withCredentials(receiver) ? 'include' : 'same-origin'}`;
          const sayWhatIsSent = () => setField(receiver, 'Accept', state.hasAccept ? said : `*/*, ${said}`);
          const content = sendsNothing ? undefined : fileContent(values[0]);
          if (!content) {
            try {
              sayWhatIsSent();
            } catch {
            }
            return apply(native, receiver, values);
          }
          if (!state.isAsync) throw new DOMException('A network error occurred.', 'NetworkError');
          const flat = flatten(content);
          state.isReading = true;
          (async () => {
            const bytes = await flat.bytes;
            if (!state.isReading || weakGet(states, receiver) !== state) return;
            state.isReading = false;
            if (flat.type !== null && !state.hasType) setField(receiver, 'Content-Type', flat.type);
            sayWhatIsSent();
            apply(native, receiver, [bytes]);
          })();
        });
        replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
          if (receiver !== navigator || values.length === 0) return apply(native, receiver, values);
          values[0] = `${values[0]}`;
          if (!isHandled(values[0])) return apply(native, receiver, values);
          const data = values[1] ?? null;
          let isSimple = true;
          if (data !== null && typeof data === 'object' && isBlob(data)) {
            const type = blobType(data), end = indexOf(type, ';');
            const essence = end < 0 ? type : slice(type, 0, end);
            isSimple = essence === '' || essence === 'application/x-www-form-urlencoded'
              || essence === 'multipart/form-data' || essence === 'text/plain';
          }
          const mode = isSimple ? 'no-cors' : 'cors';
          (async () => {
            try {
              await send(values[0], {
                __proto__: null, method: 'POST', body: data, mode, credentials: 'include', keepalive: true,
              });
            } catch {}
          })();
          return true;
        });
        }
        """#
}
