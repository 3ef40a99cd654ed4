// Selectors that compare attributes with an address: what was turned is found by what the page wrote.

/// `[src="https://…"]` and `[src^="https://…"]`.
const isOfSelector = (text, place) => {
  let index = place - 2;
  while (index > 0 && isSpace(charAt(text, index))) index -= 1;
  return index >= 0 && isQuote(charAt(text, place - 1)) && charAt(text, index) === '=';
};
const endOfSelector = (text, place) => {
  const end = indexOf(text, charAt(text, place - 1), place);
  return end < 0 ? text.length : end;
};
/// The index behind `]` of an attribute selector, which the end of the text closes as well; -1 where a quote is open.
const endOfTest = (text, open) => {
  let quote = '';
  for (let index = open; index < text.length; index += 1) {
    const character = charAt(text, index);
    if (character === '\\') index += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (isQuote(character)) quote = character;
    else if (character === ']') return index + 1;
  }
  return quote === '' ? text.length + 1 : -1;
};
/// `[src^="http"]`: a test of how an address of a named host begins, for what was turned; others as they are.
const turnedBeginning = test => {
  const operator = indexOf(test, '^=');
  let start = operator + 2;
  while (isSpace(charAt(test, start))) start += 1;
  const quote = charAt(test, start);
  if (operator < 0 || !isQuote(quote)) return test;
  start += 1;
  const beginning = slice(test, start, indexOf(test, quote, start));
  for (let index = 0; beginning !== '' && index < namedOrigins.length; index += 1) {
    if (startsWith(namedOrigins[index], beginning)) return slice(test, 0, start) + turnedPrefix + slice(test, start);
  }
  return test;
};
/// The selector of what was turned and of what was not.
const ofBoth = text => {
  if (typeof text !== 'string' || !mayName(text) && indexOf(text, '^=') < 0) return text;
  let result = '', start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = charAt(text, index);
    if (character === '\\') index += 1;
    if (character !== '[') continue;
    const end = endOfTest(text, index);
    if (end < 0) break;
    if (end > text.length) text += ']';
    const test = slice(text, index, end), whole = turnedWhere(test, isOfSelector, endOfSelector);
    const other = whole === test ? turnedBeginning(test) : whole;
    // `:is` would forgive what the native refuses, such as the `!=` of libraries.
    result += slice(text, start, index) + (other === test ? test : `:not(:not(${test}):not(${other}))`);
    start = end;
    index = end - 1;
  }
  return result + slice(text, start);
};

const search = (native, receiver, values) => {
  const written = values[0], both = values.length > 0 ? ofBoth(written) : written;
  if (both === written) return apply(native, receiver, values);
  try {
    values[0] = both;
    return apply(native, receiver, values);
  } catch {
    // Its error names what the page wrote.
    values[0] = written;
    return apply(native, receiver, values);
  }
};
for (const holder of [Element.prototype, Document.prototype, DocumentFragment.prototype]) {
  replace(holder, 'querySelector', search);
  replace(holder, 'querySelectorAll', search);
}
replace(Element.prototype, 'matches', search);
replace(Element.prototype, 'webkitMatchesSelector', search);
replace(Element.prototype, 'closest', search);
