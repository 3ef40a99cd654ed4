// Selectors that compare attributes with an address: what was turned is found by what the page wrote.

/// `[src="https://…"]` and `[src^="https://…"]`.
const isOfSelector = (text, place) => place > 1 && isQuote(charAt(text, place - 1)) && charAt(text, place - 2) === '=';
const endOfSelector = (text, place) => {
  const end = indexOf(text, charAt(text, place - 1), place);
  return end < 0 ? text.length : end;
};
const alternative = text => typeof text === 'string' && mayName(text)
  ? turnedWhere(text, isOfSelector, endOfSelector) : text;

const isNothing = result => result === null || result === false;
/// Asks once more for what was turned, where nothing was found.
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
