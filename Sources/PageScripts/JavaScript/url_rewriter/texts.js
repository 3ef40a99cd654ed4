// Addresses within style sheets, lists of images and markup.

/// Finds the addresses of named hosts in a text, one behind the other: a function that returns the index of the next one from
/// a place on, which may not go back; -1 without one. Each host is sought once, however many others there are.
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

/// Puts the prefix in before each address of a named host that `isWanted` says yes to. What stands within an address is part
/// of it, so no letter is read twice.
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

/// In CSS: behind `url(` with or without a quote, and strings of `@import` and `image-set()`.
const isOfCSS = (text, place) => {
  let index = place - 1;
  let quote = index >= 0 && isQuote(charAt(text, index));
  if (quote) index -= 1;
  // In an attribute, a quote may be a character reference.
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

/// HTML "parse a srcset attribute": each address stands at the start, or behind a comma or space.
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

/// How the attributes that load something are turned, by element and name. Not here: where the page may go.
const attributeKinds = {__proto__: null};
{
  const add = (names, turn) => {
    for (let index = 0; index < names.length; index += 1) attributeKinds[names[index]] = turn;
  };
  add(['script src', 'link href', 'img src', 'video poster', 'track src', 'input src', 'embed src', 'object data',
    'base href', 'body background', 'table background', 'thead background', 'tbody background', 'tfoot background',
    'col background', 'colgroup background', 'tr background', 'td background', 'th background', 'image href', 'image xlink:href', 'use href', 'use xlink:href',
    'feImage href', 'feImage xlink:href', 'script href', 'script xlink:href'], turned);
  if (includesMedia) add(['video src', 'audio src', 'source src'], turned);
  add(['img srcset', 'source srcset', 'link imagesrcset'], turnedSrcset);
  add(['iframe src', 'frame src'], turnedFrame);
  attributeKinds['iframe srcdoc'] = text => turnedMarkup(text);
}
const turnOf = (element, name) => name === 'style' ? turnedCSS : attributeKinds[`${element} ${name}`];

// MARK: Markup

const rawTexts = {
  __proto__: null, script: true, style: true, textarea: true, title: true, xmp: true, iframe: true, noembed: true,
  noframes: true, noscript: true, plaintext: true,
};
const isLetter = character => character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
const endsName = character => isSpace(character) || character === '/' || character === '>';

/// Where the end tag of an element begins; -1 without one. Not sought in a text in lower case, whose length may differ.
const closeOf = (text, element, from) => {
  let found = indexOf(text, '</', from);
  while (found >= 0 && lowerCase(slice(text, found + 2, found + 2 + element.length)) !== element) {
    found = indexOf(text, '</', found + 1);
  }
  return found;
};

/// Turns the addresses in a fragment of HTML. Tags are found as tokenizers find them; what a fragment cuts off is text.
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
      // `<!-->` is a whole one.
      const end = indexOf(text, '-->', index + 2);
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
