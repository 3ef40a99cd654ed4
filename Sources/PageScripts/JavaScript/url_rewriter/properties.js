// Properties that reflect content attributes: `img.src`, `link.href`, `srcset` and so on.

/// Reads back what the page wrote: the address of an attribute that was turned, resolved as the engine does.
const reflect = (kind, property) => {
  const prototype = self[kind] && self[kind].prototype, attribute = lowerCase(property);
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

for (const kind of ['Script', 'Image', 'Source', 'Media', 'Track', 'Input', 'Embed', 'IFrame', 'Frame']) {
  reflect(`HTML${kind}Element`, 'src');
}
for (const [kind, property] of [['Link', 'href'], ['Link', 'imageSrcset'], ['Image', 'srcset'], ['Source', 'srcset'],
  ['Video', 'poster'], ['Object', 'data'], ['Base', 'href'], ['Body', 'background'], ['IFrame', 'srcdoc']]) {
  reflect(`HTML${kind}Element`, property);
}

/// What was chosen of a list: it was turned if the element or a `source` beside it names it so.
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

/// SVG: `use.href.baseVal`.
const animated = self.SVGAnimatedString && SVGAnimatedString.prototype;
if (animated) {
  // Which element it belongs to is not told; a class name is never an address.
  replaceAccessor(animated, 'baseVal', unturnedResultOf, turningText(0, turned));
  replaceAccessor(animated, 'animVal', unturnedResultOf);
}
if (includesMedia) {
  // The prototype's constructor is another function, HTMLAudioElement.
  replaceNameless(self, 'Audio', constructing(values => turnArgument(values, 0, turned)));
}
