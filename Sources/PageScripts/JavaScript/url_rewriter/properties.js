// Properties that reflect content attributes: `img.src`, `link.href`, `srcset` and so on.

/// Reads back what the page wrote: the address of an attribute that was turned, resolved as the engine does.
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
reflect('HTMLIFrameElement', 'src');
reflect('HTMLFrameElement', 'src');
reflect('HTMLIFrameElement', 'srcdoc');

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
  replaceAccessor(animated, 'baseVal', unturnedResultOf, (native, receiver, values) => {
    // Which element it belongs to is not told; a class name is never an address.
    turnText(values, 0, turned);
    return apply(native, receiver, values);
  });
  replaceAccessor(animated, 'animVal', unturnedResultOf);
}
if (includesMedia) {
  // The prototype's constructor is another function, HTMLAudioElement.
  replaceNameless(self, 'Audio', (native, values, target) => {
    turnArgument(values, 0, turned);
    return construct(native, values, target);
  });
}
