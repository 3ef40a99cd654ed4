// Written by scripts/page-scripts/join from JavaScript/*.js; change those.

extension AddressScript {
    static let source = #"""
        (hosts, includesMedia, leftOut, signal, anywhere) => {
        'use strict';
        if (!anywhere && location.protocol !== 'app-cache-https:' && self.origin.indexOf('app-cache-https://') !== 0) return;
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
        const {ErrorEvent, FocusEvent} = self;
        const dispatch = method(EventTarget.prototype, 'dispatchEvent');
        const listen = method(EventTarget.prototype, 'addEventListener');
        const tellNet = event => { dispatch(self, event); };
        const mostFailures = 8;
        let failures = 0, toldFailures = 0;
        listen(self, `${signal};stop`, () => { failures = toldFailures = mostFailures; });
        const tellFailures = () => {
          try {
            while (toldFailures < failures) {
              tellNet(construct(FocusEvent, [`${signal};fault`]));
              toldFailures += 1;
            }
          } catch {}
        };
        const safely = (turn, text) => {
          if (toldFailures < failures) tellFailures();
          if (failures >= mostFailures) return text;
          try {
            return turn(text);
          } catch {
            failures += 1;
            tellFailures();
            return text;
          }
        };
        replace(Element.prototype, 'attachShadow', (native, receiver, values) => {
          const root = apply(native, receiver, values);
          if (failures < mostFailures) tellNet(construct(FocusEvent, [`${signal};shadow`, {__proto__: null, relatedTarget: root}]));
          return root;
        });
        replace(Navigator.prototype, 'sendBeacon', (native, receiver, values) => {
          const url = argument(values, 0), result = apply(native, receiver, values);
          const message = typeof url === 'string' ? url : isURL(url) ? urlHref(url) : '';
          if (mayName(message)) tellNet(construct(ErrorEvent, [`${signal};beacon`, {__proto__: null, message}]));
          return result;
        });
        const turnedPrefix = 'App-Cache-', plainPrefix = 'app-cache-';
        const lastIndexOf = method(String.prototype, 'lastIndexOf');
        const startsWith = method(String.prototype, 'startsWith');
        const namedOrigins = [];
        {
          const own = self.origin === 'null' ? location.href : self.origin, start = `${plainPrefix}https://`;
          if (startsWith(own, start)) {
            let end = start.length;
            while (end < own.length && own[end] !== '/' && own[end] !== '?' && own[end] !== '#') end += 1;
            append(namedOrigins, slice(own, plainPrefix.length, end));
          }
          for (let index = 0; index < hosts.length; index += 1) append(namedOrigins, `https://${hosts[index]}`);
        }
        const mayName = text => {
          for (let index = 0; index < namedOrigins.length; index += 1) {
            if (indexOf(text, namedOrigins[index]) >= 0) return true;
          }
          return false;
        };
        const isNamedAt = (text, start, end) => {
          for (let index = 0; index < namedOrigins.length; index += 1) {
            const origin = namedOrigins[index];
            if (!startsWith(text, origin, start)) continue;
            const place = start + origin.length;
            if (place > end) continue;
            const next = place < end ? charAt(text, place) : '';
            if (next !== '' && next !== '/' && next !== '?' && next !== '#') continue;
            let isPath = true;
            for (let at = place; at < end; at += 1) {
              const character = charAt(text, at);
              if (character === '#') break;
              if (character === '?') isPath = false;
              if (character === (isPath ? '\\' : '\'')) return false;
            }
            return true;
          }
          return false;
        };
        const isSpace = character => character === ' ' || character === '\n' || character === '\t' || character === '\r'
          || character === '\f';
        const turned = text => {
          let start = 0;
          while (start < text.length && isSpace(charAt(text, start))) start += 1;
          if (!startsWith(text, 'https://', start)) return text;
          let end = text.length;
          while (end > start && isSpace(charAt(text, end - 1))) end -= 1;
          return isNamedAt(text, start, end) ? slice(text, 0, start) + turnedPrefix + slice(text, start) : text;
        };
        const unturned = text => {
          let found = indexOf(text, `${turnedPrefix}https://`);
          if (found < 0) return text;
          let result = '', start = 0;
          while (found >= 0) {
            result += slice(text, start, found);
            start = found + turnedPrefix.length;
            found = indexOf(text, `${turnedPrefix}https://`, start);
          }
          return result + slice(text, start);
        };
        const unturnedValue = value => typeof value === 'string' ? unturned(value) : value;
        const unturnedURL = url => startsWith(url, `${plainPrefix}https://`) ? slice(url, plainPrefix.length) : url;
        const urlHref = getter(URL.prototype, 'href');
        const isURL = isOf(urlHref);
        const setAdd = method(Set.prototype, 'add'), setHas = method(Set.prototype, 'has');
        const asked = new Set();
        const mostAsked = 10_000;
        let countOfAsked = 0;
        const turnedRequest = text => {
          const result = turned(text);
          if (result !== text && countOfAsked < mostAsked) {
            const href = urlHref(new URL(result)), end = indexOf(href, '#');
            setAdd(asked, end < 0 ? href : slice(href, 0, end));
            countOfAsked += 1;
          }
          return result;
        };
        const shownRequest = url => {
          if (countOfAsked === 0 || typeof url !== 'string' || !startsWith(url, plainPrefix)) return url;
          const end = indexOf(url, '#');
          return setHas(asked, end < 0 ? url : slice(url, 0, end)) ? unturnedURL(url) : url;
        };
        const isTrusted = (() => {
          const kinds = [];
          for (const name of ['TrustedHTML', 'TrustedScriptURL', 'TrustedScript']) {
            const kind = self[name];
            if (typeof kind === 'function') append(kinds, isOf(method(kind.prototype, 'toString')));
          }
          return value => {
            for (let index = 0; index < kinds.length; index += 1) if (kinds[index](value)) return true;
            return false;
          };
        })();
        const mayTurn = value => typeof value === 'string' ? indexOf(value, 'https://') >= 0
          : typeof value === 'object' && value !== null;
        const turnArgument = (values, index, turn) => {
          if (values.length <= index) return;
          let value = values[index];
          if (typeof value === 'object' && value !== null && !isTrusted(value)) {
            value = `${value}`;
            values[index] = value;
          }
          if (typeof value === 'string') values[index] = safely(turn, value);
        };
        const turnText = (values, index, turn) => {
          if (values.length > index && typeof values[index] === 'string') values[index] = safely(turn, values[index]);
        };
        const isOn = name => {
          for (let index = 0; index < leftOut.length; index += 1) if (leftOut[index] === name) return false;
          return true;
        };
        const htmlNamespace = 'http://www.w3.org/1999/xhtml';
        const localName = getter(Element.prototype, 'localName');
        const namespaceOf = getter(Element.prototype, 'namespaceURI');
        const isElement = isOf(localName);
        const attributeText = method(Element.prototype, 'getAttribute');
        const unturnedResultOf = (native, receiver, values) => unturnedValue(apply(native, receiver, values));
        const findNamed = text => {
          const places = [];
          for (let index = 0; index < namedOrigins.length; index += 1) append(places, indexOf(text, namedOrigins[index]));
          return from => {
            let first = -1;
            for (let index = 0; index < places.length; index += 1) {
              if (places[index] >= 0 && places[index] < from) places[index] = indexOf(text, namedOrigins[index], from);
              if (places[index] >= 0 && (first < 0 || places[index] < first)) first = places[index];
            }
            return first;
          };
        };
        const turnedWhere = (text, isWanted, endOf) => {
          const next = findNamed(text);
          let result = '', start = 0, found = next(0);
          while (found >= 0) {
            let rest = found + 1;
            if (isWanted(text, found)) {
              const end = endOf(text, found);
              if (isNamedAt(text, found, end)) {
                result += slice(text, start, found) + turnedPrefix;
                start = found;
              }
              if (end > rest) rest = end;
            }
            found = next(rest);
          }
          return result + slice(text, start);
        };
        const isQuote = character => character === '"' || character === '\'';
        const isOfCSS = (text, place) => {
          let index = place - 1;
          let quote = index >= 0 && isQuote(charAt(text, index));
          if (quote) index -= 1;
          const near = index > 6 ? index - 6 : 0;
          const reference = !quote && index >= 0 && charAt(text, index) === ';' ? lastIndexOf(slice(text, near, index), '&') : -1;
          if (reference >= 0) {
            quote = true;
            index = near + reference - 1;
          }
          const gap = index;
          while (index >= 0 && isSpace(charAt(text, index))) index -= 1;
          if (index < 0) return false;
          const before = charAt(text, index);
          if (before === '(') return true;
          if (!quote) return false;
          return before === ',' || index >= 6 && lowerCase(slice(text, index - 6, index + 1)) === '@import' && gap >= index;
        };
        const endOfCSS = (text, place) => {
          let end = place;
          const before = place > 0 ? charAt(text, place - 1) : '';
          if (isQuote(before)) {
            while (end < text.length && charAt(text, end) !== before) end += 1;
            return end;
          }
          while (end < text.length && charAt(text, end) !== ')' && !isSpace(charAt(text, end))) end += 1;
          return end;
        };
        const turnedCSS = text => mayName(text) ? turnedWhere(text, isOfCSS, endOfCSS) : text;
        const isOfSrcset = (text, place) => {
          if (place === 0) return true;
          const before = charAt(text, place - 1);
          return before === ',' || isSpace(before);
        };
        const endOfSrcset = (text, place) => {
          let end = place;
          while (end < text.length && !isSpace(charAt(text, end))) end += 1;
          while (end > place && charAt(text, end - 1) === ',') end -= 1;
          return end;
        };
        const turnedSrcset = text => mayName(text) ? turnedWhere(text, isOfSrcset, endOfSrcset) : text;
        const attributeKinds = {__proto__: null};
        {
          const add = (names, turn) => {
            for (let index = 0; index < names.length; index += 1) attributeKinds[names[index]] = turn;
          };
          add(['script src', 'link href', 'img src', 'video poster', 'track src', 'input src', 'embed src', 'object data',
            'base href', 'body background', 'image href', 'image xlink:href', 'use href', 'use xlink:href', 'feImage href',
            'feImage xlink:href', 'script href', 'script xlink:href'], turned);
          if (includesMedia) add(['video src', 'audio src', 'source src'], turned);
          add(['img srcset', 'source srcset', 'link imagesrcset'], turnedSrcset);
          attributeKinds['iframe srcdoc'] = text => turnedMarkup(text);
        }
        const turnOf = (element, name) => name === 'style' ? turnedCSS : attributeKinds[`${element} ${name}`];
        const rawTexts = {
          __proto__: null, script: true, style: true, textarea: true, title: true, xmp: true, iframe: true, noembed: true,
          noframes: true, noscript: true, plaintext: true,
        };
        const isLetter = character => character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
        const endsName = character => isSpace(character) || character === '/' || character === '>';
        const closeOf = (text, element, from) => {
          let found = indexOf(text, '</', from);
          while (found >= 0 && lowerCase(slice(text, found + 2, found + 2 + element.length)) !== element) {
            found = indexOf(text, '</', found + 1);
          }
          return found;
        };
        const turnedMarkup = text => {
          if (!mayName(text)) return text;
          let result = '', copied = 0, index = indexOf(text, '<');
          const put = (start, end, value) => {
            result += slice(text, copied, start) + value;
            copied = end;
          };
          while (index >= 0 && index < text.length) {
            const next = charAt(text, index + 1);
            if (startsWith(text, '<!--', index)) {
              const end = indexOf(text, '-->', index + 4);
              if (end < 0) break;
              index = indexOf(text, '<', end);
              continue;
            }
            if (!isLetter(next)) {
              index = indexOf(text, '<', index + 1);
              continue;
            }
            let place = index + 1;
            while (place < text.length && !endsName(charAt(text, place))) place += 1;
            const name = slice(text, index + 1, place), element = name === 'feImage' ? name : lowerCase(name);
            for (;;) {
              while (place < text.length && (isSpace(charAt(text, place)) || charAt(text, place) === '/')) place += 1;
              if (place >= text.length || charAt(text, place) === '>') break;
              const nameStart = place;
              place += 1;
              while (place < text.length && !endsName(charAt(text, place)) && charAt(text, place) !== '=') place += 1;
              const attribute = lowerCase(slice(text, nameStart, place));
              while (place < text.length && isSpace(charAt(text, place))) place += 1;
              if (charAt(text, place) !== '=') continue;
              place += 1;
              while (place < text.length && isSpace(charAt(text, place))) place += 1;
              const quote = charAt(text, place);
              let start = place, end;
              if (isQuote(quote)) {
                start = place + 1;
                end = indexOf(text, quote, start);
                if (end < 0) return copied === 0 ? text : result + slice(text, copied);
                place = end + 1;
              } else {
                while (place < text.length && !isSpace(charAt(text, place)) && charAt(text, place) !== '>') place += 1;
                end = place;
              }
              const turn = turnOf(element, attribute);
              if (!turn || start === end) continue;
              const value = slice(text, start, end), changed = turn(value);
              if (changed !== value) put(start, end, changed);
            }
            place += 1;
            if (rawTexts[element]) {
              const close = closeOf(text, element, place);
              if (element === 'style') {
                const end = close < 0 ? text.length : close, value = slice(text, place, end), changed = turnedCSS(value);
                if (changed !== value) put(place, end, changed);
              }
              if (close < 0) break;
              place = close;
            }
            index = indexOf(text, '<', place);
          }
          return copied === 0 ? text : result + slice(text, copied);
        };
        if (isOn('attributes')) {
        const attributeOwner = getter(Attr.prototype, 'ownerElement'), attributeName = getter(Attr.prototype, 'name');
        const attributeValue = getter(Attr.prototype, 'value');
        const isAttribute = isOf(attributeOwner);
        const {set: setValue} = getOwnPropertyDescriptor(Attr.prototype, 'value');
        const turnAttribute = (element, name, values, index) => {
          const turn = turnOf(localName(element), namespaceOf(element) === htmlNamespace ? lowerCase(name) : name);
          if (turn) turnArgument(values, index, turn);
        };
        replace(Element.prototype, 'setAttribute', (native, receiver, values) => {
          if (values.length > 1 && mayTurn(values[1]) && isElement(receiver)) {
            values[0] = `${values[0]}`;
            turnAttribute(receiver, values[0], values, 1);
          }
          return apply(native, receiver, values);
        });
        replace(Element.prototype, 'setAttributeNS', (native, receiver, values) => {
          if (values.length > 2 && mayTurn(values[2]) && isElement(receiver) && typeof values[1] === 'string') {
            const end = indexOf(values[1], ':'), name = end < 0 ? values[1] : slice(values[1], end + 1);
            turnAttribute(receiver, name, values, 2);
          }
          return apply(native, receiver, values);
        });
        replace(Element.prototype, 'getAttribute', unturnedResultOf);
        replace(Element.prototype, 'getAttributeNS', unturnedResultOf);
        const writeAttribute = (native, receiver, values) => {
          const owner = isAttribute(receiver) && attributeOwner(receiver);
          if (owner) turnAttribute(owner, attributeName(receiver), values, 0);
          return apply(native, receiver, values);
        };
        replaceAccessor(Attr.prototype, 'value', unturnedResultOf, writeAttribute);
        replaceAccessor(Node.prototype, 'nodeValue', unturnedResultOf);
        const adopt = ownerOf => (native, receiver, values) => {
          const attribute = argument(values, 0);
          if (isAttribute(attribute) && attributeOwner(attribute) === null && mayTurn(attributeValue(attribute))) {
            const owner = ownerOf(receiver), written = [attributeValue(attribute)];
            if (owner) {
              turnAttribute(owner, attributeName(attribute), written, 0);
              apply(setValue, attribute, written);
            }
          }
          return apply(native, receiver, values);
        };
        const itself = receiver => isElement(receiver) ? receiver : null;
        replace(Element.prototype, 'setAttributeNode', adopt(itself));
        replace(Element.prototype, 'setAttributeNodeNS', adopt(itself));
        const attributeAt = method(NamedNodeMap.prototype, 'item');
        const ownerOfList = receiver => {
          try {
            return attributeOwner(attributeAt(receiver, 0));
          } catch {
            return null;
          }
        };
        replace(NamedNodeMap.prototype, 'setNamedItem', adopt(ownerOfList));
        replace(NamedNodeMap.prototype, 'setNamedItemNS', adopt(ownerOfList));
        replaceAccessor(MutationRecord.prototype, 'oldValue', unturnedResultOf);
        }
        if (isOn('properties')) {
        const reflect = (kind, property, attribute = property) => {
          const prototype = self[kind] && self[kind].prototype;
          replaceAccessor(prototype, property, (native, receiver, values) => {
            const value = apply(native, receiver, values);
            if (typeof value !== 'string' || value === '') return value;
            if (indexOf(value, turnedPrefix) >= 0) return unturned(value);
            if (!startsWith(value, plainPrefix)) return value;
            const written = attributeText(receiver, attribute);
            return written !== null && indexOf(written, `${turnedPrefix}https://`) >= 0 ? unturnedURL(value) : value;
          }, (native, receiver, values) => {
            if (values.length > 0 && mayTurn(values[0]) && isElement(receiver)) {
              const turn = turnOf(localName(receiver), attribute);
              if (turn) turnArgument(values, 0, turn);
            }
            return apply(native, receiver, values);
          });
        };
        reflect('HTMLScriptElement', 'src');
        reflect('HTMLLinkElement', 'href');
        reflect('HTMLLinkElement', 'imageSrcset', 'imagesrcset');
        reflect('HTMLImageElement', 'src');
        reflect('HTMLImageElement', 'srcset');
        reflect('HTMLSourceElement', 'src');
        reflect('HTMLSourceElement', 'srcset');
        reflect('HTMLMediaElement', 'src');
        reflect('HTMLVideoElement', 'poster');
        reflect('HTMLTrackElement', 'src');
        reflect('HTMLInputElement', 'src');
        reflect('HTMLEmbedElement', 'src');
        reflect('HTMLObjectElement', 'data');
        reflect('HTMLBaseElement', 'href');
        reflect('HTMLBodyElement', 'background');
        reflect('HTMLIFrameElement', 'srcdoc');
        const sourcesOf = method(Element.prototype, 'getElementsByTagName');
        const parentOf = getter(Node.prototype, 'parentElement');
        const namesTurned = (element, address) => {
          const names = written => written !== null && indexOf(written, turnedPrefix + address) >= 0;
          return names(attributeText(element, 'src')) || names(attributeText(element, 'srcset'));
        };
        const readChosen = (native, receiver, values) => {
          const value = apply(native, receiver, values);
          if (typeof value !== 'string' || !startsWith(value, plainPrefix)) return value;
          const address = unturnedURL(value);
          if (namesTurned(receiver, address)) return address;
          const parent = parentOf(receiver);
          if (!parent) return value;
          const sources = sourcesOf(parent, 'source');
          for (let index = 0; index < sources.length; index += 1) if (namesTurned(sources[index], address)) return address;
          return value;
        };
        replaceAccessor(HTMLImageElement.prototype, 'currentSrc', readChosen);
        if (includesMedia) replaceAccessor(HTMLMediaElement.prototype, 'currentSrc', readChosen);
        const animated = self.SVGAnimatedString && SVGAnimatedString.prototype;
        if (animated) {
          replaceAccessor(animated, 'baseVal', unturnedResultOf, (native, receiver, values) => {
            turnText(values, 0, turned);
            return apply(native, receiver, values);
          });
          replaceAccessor(animated, 'animVal', unturnedResultOf);
        }
        if (includesMedia) {
          standIn(self, 'Audio', 'construct', (native, replacement) => (_, values, target) => {
            turnArgument(values, 0, turned);
            return construct(native, values, target === replacement() ? native : target);
          });
        }
        }
        if (isOn('markup')) {
        const readMarkup = unturnedResultOf;
        const writeMarkup = (native, receiver, values) => {
          turnText(values, 0, turnedMarkup);
          return apply(native, receiver, values);
        };
        const writeContent = (native, receiver, values) => {
          if (values.length === 0 || !mayTurn(values[0])) return apply(native, receiver, values);
          const element = isElement(receiver) ? localName(receiver) : '';
          if (element === 'style') turnText(values, 0, turnedCSS);
          else if (!rawTexts[element]) turnText(values, 0, turnedMarkup);
          return apply(native, receiver, values);
        };
        const shadow = self.ShadowRoot && ShadowRoot.prototype;
        for (const holder of [Element.prototype, HTMLElement.prototype, shadow]) {
          replaceAccessor(holder, 'innerHTML', readMarkup, writeContent);
          replaceAccessor(holder, 'outerHTML', readMarkup, writeMarkup);
          replace(holder, 'setHTMLUnsafe', writeContent);
          replace(holder, 'getHTML', readMarkup);
        }
        replace(Element.prototype, 'insertAdjacentHTML', (native, receiver, values) => {
          turnText(values, 1, turnedMarkup);
          return apply(native, receiver, values);
        });
        replace(Range.prototype, 'createContextualFragment', writeMarkup);
        replace(XMLSerializer.prototype, 'serializeToString', readMarkup);
        replace(DOMParser.prototype, 'parseFromString', (native, receiver, values) => {
          if (values.length > 1 && values[1] === 'text/html') turnText(values, 0, turnedMarkup);
          return apply(native, receiver, values);
        });
        replace(Document, 'parseHTMLUnsafe', writeMarkup);
        const writeDocument = (native, receiver, values) => {
          for (let index = 0; index < values.length; index += 1) turnText(values, index, turnedMarkup);
          return apply(native, receiver, values);
        };
        replace(Document.prototype, 'write', writeDocument);
        replace(Document.prototype, 'writeln', writeDocument);
        }
        if (isOn('selectors')) {
        const isOfSelector = (text, place) => place > 1 && isQuote(charAt(text, place - 1)) && charAt(text, place - 2) === '=';
        const endOfSelector = (text, place) => {
          const end = indexOf(text, charAt(text, place - 1), place);
          return end < 0 ? text.length : end;
        };
        const alternative = text => typeof text === 'string' && mayName(text)
          ? turnedWhere(text, isOfSelector, endOfSelector) : text;
        const isNothing = result => result === null || result === false;
        const search = isEmpty => (native, receiver, values) => {
          const found = apply(native, receiver, values);
          if (values.length === 0 || !isEmpty(found)) return found;
          const other = alternative(values[0]);
          return other === values[0] ? found : apply(native, receiver, [other]);
        };
        const listLength = getter(NodeList.prototype, 'length');
        for (const holder of [Element.prototype, Document.prototype, DocumentFragment.prototype]) {
          replace(holder, 'querySelector', search(isNothing));
          replace(holder, 'querySelectorAll', search(list => listLength(list) === 0));
        }
        replace(Element.prototype, 'matches', search(isNothing));
        replace(Element.prototype, 'webkitMatchesSelector', search(isNothing));
        replace(Element.prototype, 'closest', search(isNothing));
        }
        if (isOn('requests')) {
        const turnFirst = (native, receiver, values) => {
          turnRequestArgument(values, 0);
          return apply(native, receiver, values);
        };
        const isRequestObject = isOf(getter(Request.prototype, 'url'));
        const turnRequestArgument = (values, index) => {
          if (values.length > index && !isRequestObject(values[index])) turnArgument(values, index, turnedRequest);
        };
        const shownResult = (native, receiver, values) => shownRequest(apply(native, receiver, values));
        replace(self, 'fetch', turnFirst);
        replaceConstructor(self, 'Request', (native, values, target) => {
          turnRequestArgument(values, 0);
          return construct(native, values, target);
        });
        replaceAccessor(Request.prototype, 'url', shownResult);
        replaceAccessor(Response.prototype, 'url', shownResult);
        const isXHR = isOf(getter(XMLHttpRequest.prototype, 'readyState'));
        replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
          if (values.length > 1 && mayTurn(values[1]) && isXHR(receiver)) {
            values[0] = `${values[0]}`;
            turnArgument(values, 1, turnedRequest);
          }
          return apply(native, receiver, values);
        });
        replaceAccessor(XMLHttpRequest.prototype, 'responseURL', shownResult);
        const turnConstructor = name => replaceConstructor(self, name, (native, values, target) => {
          turnRequestArgument(values, 0);
          return construct(native, values, target);
        });
        turnConstructor('EventSource');
        if (self.EventSource) replaceAccessor(EventSource.prototype, 'url', shownResult);
        turnConstructor('Worker');
        }
        if (isOn('styles')) {
        const {Object} = self;
        const turnFirstCSS = (native, receiver, values) => {
          turnText(values, 0, turnedCSS);
          return apply(native, receiver, values);
        };
        const turnSecondCSS = (native, receiver, values) => {
          turnText(values, 1, turnedCSS);
          return apply(native, receiver, values);
        };
        const readStyle = (native, receiver, values) => {
          const value = apply(native, receiver, values);
          if (typeof value !== 'string' || indexOf(value, 'https://') < 0) return value;
          const text = unturned(value), next = findNamed(text), {length} = plainPrefix;
          let result = '', start = 0, found = next(0);
          while (found >= 0) {
            if (found >= start + length && startsWith(text, plainPrefix, found - length)) {
              result += slice(text, start, found - length);
              start = found;
            }
            found = next(found + 1);
          }
          return result + slice(text, start);
        };
        const readStyleByName = (native, receiver, values) => {
          const name = argument(values, 0);
          return typeof name === 'string' && !startsWith(name, '--') ? readStyle(native, receiver, values)
            : unturnedResultOf(native, receiver, values);
        };
        const fileProperties = ['background', 'backgroundImage', 'background-image', 'borderImage', 'border-image',
          'borderImageSource', 'border-image-source', 'clipPath', 'clip-path', 'content', 'cursor', 'filter', 'listStyle',
          'list-style', 'listStyleImage', 'list-style-image', 'mask', 'maskImage', 'mask-image', 'shapeOutside',
          'shape-outside', 'src', 'webkitMask', 'webkitMaskImage', '-webkit-mask-image', 'webkitMaskBoxImage'];
        const declared = [];
        const isDeclared = prototype => {
          for (let index = 0; index < declared.length; index += 1) if (declared[index] === prototype) return true;
          return false;
        };
        const declare = declaration => {
          let holder = declaration;
          for (let depth = 0; depth < 4; depth += 1) {
            holder = getPrototypeOf(holder);
            if (!holder || holder === Object.prototype) return;
            if (isDeclared(holder)) continue;
            append(declared, holder);
            replaceAccessor(holder, 'cssText', readStyle, turnFirstCSS);
            replace(holder, 'setProperty', turnSecondCSS);
            replace(holder, 'getPropertyValue', readStyleByName);
            for (let index = 0; index < fileProperties.length; index += 1) {
              replaceAccessor(holder, fileProperties[index], readStyle, turnFirstCSS);
            }
          }
        };
        const way = (holder, name, part) => {
          const both = standIn(holder, name, 'apply', native => (_, receiver, values) => {
            const result = apply(native, receiver, values);
            try {
              if (typeof result === 'object' && result !== null) declare(result);
            } catch {
            }
            const descriptor = getOwnPropertyDescriptor(holder, name);
            if (descriptor && descriptor[part] === both.replacement && descriptor.configurable) {
              defineProperty(holder, name, {__proto__: null, ...descriptor, [part]: native});
            }
            return result;
          }, {__proto__: null, part});
        };
        for (const kind of ['HTMLElement', 'SVGElement', 'MathMLElement', 'CSSStyleRule', 'CSSFontFaceRule', 'CSSPageRule',
          'CSSKeyframeRule', 'CSSNestedDeclarations', 'CSSPositionTryRule']) {
          way(self[kind] && self[kind].prototype, 'style', 'get');
        }
        way(self, 'getComputedStyle', 'value');
        for (const kind of ['HTMLElement', 'SVGElement']) {
          replaceAccessor(self[kind] && self[kind].prototype, 'style', undefined, turnFirstCSS);
        }
        const sheets = CSSStyleSheet.prototype;
        replace(sheets, 'insertRule', turnFirstCSS);
        replace(sheets, 'addRule', turnSecondCSS);
        replace(sheets, 'replace', turnFirstCSS);
        replace(sheets, 'replaceSync', turnFirstCSS);
        replace(self.CSSGroupingRule && CSSGroupingRule.prototype, 'insertRule', turnFirstCSS);
        replaceAccessor(CSSRule.prototype, 'cssText', unturnedResultOf);
        const importAddress = optionalGetter(CSSImportRule.prototype, 'href');
        replaceAccessor(CSSImportRule.prototype, 'href', unturnedResultOf);
        replaceConstructor(self, 'FontFace', (native, values, target) => {
          turnText(values, 1, turnedCSS);
          return construct(native, values, target);
        });
        const sheetOwner = getter(StyleSheet.prototype, 'ownerNode');
        const sheetRule = getter(CSSStyleSheet.prototype, 'ownerRule');
        replaceAccessor(StyleSheet.prototype, 'href', (native, receiver, values) => {
          const value = apply(native, receiver, values);
          if (typeof value !== 'string' || !startsWith(value, plainPrefix)) return value;
          const owner = sheetOwner(receiver), rule = sheetRule(receiver);
          const written = owner && isElement(owner) ? attributeText(owner, 'href') : rule ? importAddress(rule) : null;
          return typeof written === 'string' && indexOf(written, turnedPrefix) >= 0 ? unturnedURL(value) : value;
        });
        const isStyle = node => isElement(node) && localName(node) === 'style';
        replaceAccessor(Node.prototype, 'textContent', unturnedResultOf, (native, receiver, values) => {
          if (values.length > 0 && typeof values[0] === 'string' && mayTurn(values[0]) && isStyle(receiver)) {
            turnText(values, 0, turnedCSS);
          }
          return apply(native, receiver, values);
        });
        for (const name of ['text', 'textContent', 'innerText']) {
          replaceAccessor(HTMLScriptElement.prototype, name, unturnedResultOf);
        }
        }
        }
        """#
}
