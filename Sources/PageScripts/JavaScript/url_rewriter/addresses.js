// Which addresses are turned to the app's scheme, and back. What is turned begins with `App-Cache-`: schemes are the same
// in upper and lower case, and pages have their own addresses in lower case, so this spelling is nobody else's.

const turnedPrefix = 'App-Cache-', plainPrefix = 'app-cache-';
const lastIndexOf = method(String.prototype, 'lastIndexOf');
const startsWith = method(String.prototype, 'startsWith');

/// `https://host` for each host: the page's own, and those that the app named.
const namedOrigins = [];
/// The page's own of them; empty for a page without one.
let ownOrigin = '';
{
  const address = location.protocol === 'about:' ? document.baseURI : location.href;
  const own = self.origin === 'null' ? address : self.origin, start = `${plainPrefix}https://`;
  if (startsWith(own, start)) {
    let end = start.length;
    while (end < own.length && own[end] !== '/' && own[end] !== '?' && own[end] !== '#') end += 1;
    ownOrigin = slice(own, plainPrefix.length, end);
    append(namedOrigins, ownOrigin);
  }
  for (let index = 0; index < hosts.length; index += 1) append(namedOrigins, `https://${hosts[index]}`);
}

/// Whether a text may hold an address of a named host.
const mayName = text => {
  for (let index = 0; index < namedOrigins.length; index += 1) {
    if (indexOf(text, namedOrigins[index]) >= 0) return true;
  }
  return false;
};

/// Whether an address of a named host stands at a place of a text, and ends before `end`. The same rules as in native
/// code: nothing that the two schemes read in different ways.
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

/// An address for the engine.
const turned = text => {
  let start = 0;
  while (start < text.length && isSpace(charAt(text, start))) start += 1;
  if (!startsWith(text, 'https://', start)) return text;
  let end = text.length;
  while (end > start && isSpace(charAt(text, end - 1))) end -= 1;
  return isNamedAt(text, start, end) ? slice(text, 0, start) + turnedPrefix + slice(text, start) : text;
};

/// The address of a frame: only at the page's own host is it the page's own document.
const turnedFrame = text => {
  const place = indexOf(text, 'https://');
  return ownOrigin !== '' && place >= 0 && startsWith(text, ownOrigin, place) ? turned(text) : text;
};

/// A text for the page: without what was put into it.
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

/// The https address of a resolved one that was turned.
const unturnedURL = url => startsWith(url, `${plainPrefix}https://`) ? slice(url, plainPrefix.length) : url;
