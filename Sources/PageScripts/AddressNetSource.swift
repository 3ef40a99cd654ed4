// Written by scripts/page-scripts/join from JavaScript/*.js; change those.

extension AddressScript {
    static let isolatedWorldSource = #"""
        (hosts, includesMedia, signal, mark, anywhere) => {
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
        if (namedOrigins.length === 0) return;
        const mostEscapes = 100;
        const mostFaults = 8;
        const mostRepairs = 3;
        const pause = 250;
        const counts = {repaired: 0, escaped: 0, faults: 0, fallbacks: 0};
        let reported = {...counts}, timer, isOver = false;
        const report = () => {
          timer = undefined;
          const news = Object.keys(counts).map(name => counts[name] - reported[name]).join('.');
          reported = {...counts};
          fetch(`${plainPrefix}${namedOrigins[0]}/`, {
            method: 'POST', headers: {accept: `${mark};addresses=${news}`}, mode: 'cors', credentials: 'omit', cache: 'no-store',
            redirect: 'error', referrerPolicy: 'no-referrer',
          }).catch(() => {});
        };
        const count = name => {
          if (isOver) return;
          counts[name] += 1;
          if (counts.repaired + counts.escaped >= mostEscapes || counts.faults >= mostFaults) stop();
          timer ??= setTimeout(report, reported.repaired + reported.escaped + reported.faults > 0 ? pause : 0);
        };
        const observers = [];
        const stop = () => {
          isOver = true;
          counts.fallbacks = 1;
          for (const observer of observers) observer.disconnect();
          dispatchEvent(new Event(`${signal};stop`));
        };
        const guarded = work => (...values) => {
          if (isOver) return;
          try {
            work(...values);
          } catch {
            count('faults');
          }
        };
        const kinds = Object.entries(attributeKinds).filter(([key]) => !/^script |srcdoc$/.test(key));
        const turns = new Map(kinds);
        const candidates = kinds.map(([key, turn]) => {
          const [element, name] = key.split(' ');
          return `${element}[${name === 'xlink:href' ? '*|href' : name}${turn === turned ? '^' : '*'}="https://"]`;
        }).concat('[style*="https://"]', 'style').join();
        const names = [...new Set(kinds.map(([key]) => key.split(' ')[1]))];
        const loading = ['stylesheet', 'modulepreload', 'preload', 'icon', 'apple-touch-icon', 'apple-touch-icon-precomposed',
          'mask-icon', 'manifest', 'prefetch'];
        const loads = element => {
          switch (element.localName) {
          case 'link': return loading.some(word => element.relList.contains(word) || element.relList.contains(word.toUpperCase()));
          case 'input': return element.type === 'image';
          default: return true;
          }
        };
        const isSame = text => document.characterSet === 'UTF-8' || !/[^\0-\x7F]/.test(text);
        const repairs = new WeakMap();
        const repair = attribute => {
          const element = attribute.ownerElement, {name, value} = attribute;
          const turn = name === 'style' ? turnedCSS : turns.get(`${element.localName} ${name}`);
          if (!turn || !mayName(value) || !isSame(value) || !loads(element)) return;
          if (name === 'xlink:href' && element.hasAttribute('href')) return;
          const result = turn(value), times = repairs.get(element) ?? 0;
          if (result === value || times === mostRepairs) return;
          repairs.set(element, times + 1);
          attribute.value = result;
          count('repaired');
        };
        const sheets = new WeakMap();
        const repairRules = rules => {
          for (const rule of rules) {
            if (rule.cssRules) repairRules(rule.cssRules);
            if (!rule.style) continue;
            const text = rule.style.cssText, result = turnedCSS(text);
            if (result === text) continue;
            rule.style.cssText = result;
            count('repaired');
          }
        };
        const repairStyle = element => {
          const text = element.textContent, {sheet} = element;
          if (!sheet || !mayName(text) || !isSame(text) || sheets.get(sheet) === text) return;
          sheets.set(sheet, text);
          if (turnedCSS(text) !== text) repairRules(sheet.cssRules);
        };
        const check = element => {
          if (element.localName === 'style') {
            documents.observe(element, {childList: true, characterData: true, subtree: true});
            repairStyle(element);
            return;
          }
          for (const attribute of element.attributes) {
            if (attribute.value.includes('https://')) repair(attribute);
          }
        };
        const checkAll = root => {
          for (const element of root.querySelectorAll(candidates)) check(element);
        };
        const documents = new MutationObserver(guarded(records => {
          const checked = new Set();
          for (const {type, target, addedNodes} of records) {
            if (type === 'attributes') check(target);
            if (type === 'characterData' && target.parentNode?.localName === 'style') repairStyle(target.parentNode);
            if (type !== 'childList') continue;
            if (target.localName === 'style') repairStyle(target);
            for (const node of addedNodes) {
              if (node.nodeType !== 1) continue;
              if (!checked.has(target)) {
                if (node.matches(candidates)) check(node);
                if (node.firstElementChild) checkAll(node);
              }
              checked.add(node);
            }
          }
        }));
        observers.push(documents);
        const watch = root => {
          documents.observe(root, {childList: true, attributes: true, attributeFilter: names, subtree: true});
          if (root.firstElementChild) checkAll(root);
        };
        const unturnedInitiators = ['iframe', 'frame', 'navigation'].concat(includesMedia ? [] : ['video', 'audio', 'source']);
        const beacons = new Map();
        const mostBeacons = 1_000;
        const takeBeacon = url => {
          const times = beacons.get(url);
          if (times > 1) beacons.set(url, times - 1);
          else beacons.delete(url);
          return times !== undefined;
        };
        const isNamed = url => namedOrigins.some(origin => url.startsWith(origin) && /^($|[/?#])/.test(url.slice(origin.length)));
        const requests = new PerformanceObserver(guarded(list => {
          for (const {name, initiatorType} of list.getEntries()) {
            if (!isNamed(name) || unturnedInitiators.includes(initiatorType)) continue;
            if (initiatorType !== 'other' || !takeBeacon(name)) count('escaped');
          }
        }));
        guarded(() => {
          watch(document);
          observers.push(requests);
          requests.observe({type: 'resource', buffered: true});
        })();
        addEventListener(`${signal};fault`, () => count('faults'));
        addEventListener(`${signal};shadow`, guarded(event => watch(event.relatedTarget)));
        addEventListener(`${signal};beacon`, guarded(event => {
          const {href} = new URL(event.message, document.baseURI);
          if (beacons.size < mostBeacons) beacons.set(href, (beacons.get(href) ?? 0) + 1);
        }));
        addEventListener('pagehide', () => {
          if (timer === undefined) return;
          clearTimeout(timer);
          report();
        });
        }
        """#
}
