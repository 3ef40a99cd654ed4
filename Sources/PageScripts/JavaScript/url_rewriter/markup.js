// Text that becomes elements: `innerHTML`, `document.write` and the like.

const writeMarkup = turningText(0, turnedMarkup);
/// What is within an element: markup, except in those that hold text.
const writeContent = (native, receiver, values) => {
  if (values.length === 0 || !mayTurn(values[0])) return apply(native, receiver, values);
  const element = isElement(receiver) ? localName(receiver) : '';
  if (element === 'style') turnText(values, 0, turnedCSS);
  else if (!rawTexts[element]) turnText(values, 0, turnedMarkup);
  return apply(native, receiver, values);
};
const shadow = self.ShadowRoot && ShadowRoot.prototype;
// Where they are depends on the version of the engine.
for (const holder of [Element.prototype, HTMLElement.prototype, shadow]) {
  replaceAccessor(holder, 'innerHTML', unturnedResultOf, writeContent);
  replaceAccessor(holder, 'outerHTML', unturnedResultOf, writeMarkup);
  replace(holder, 'setHTMLUnsafe', writeContent);
  replace(holder, 'getHTML', unturnedResultOf);
}
replace(Element.prototype, 'insertAdjacentHTML', turningText(1, turnedMarkup));
replace(Range.prototype, 'createContextualFragment', writeMarkup);
replace(XMLSerializer.prototype, 'serializeToString', unturnedResultOf);

/// Documents of a DOMParser load nothing, but what a page takes out of them does.
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
