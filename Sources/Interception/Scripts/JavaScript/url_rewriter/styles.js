// Style sheets and inline styles that scripts write, and reading them.

const turnFirstCSS = (native, receiver, values) => {
  turnText(values, 0, turnedCSS);
  return apply(native, receiver, values);
};
const turnSecondCSS = (native, receiver, values) => {
  turnText(values, 1, turnedCSS);
  return apply(native, receiver, values);
};
const declarations = CSSStyleDeclaration.prototype;
replaceAccessor(declarations, 'cssText', unturnedResultOf, turnFirstCSS);
replace(declarations, 'setProperty', turnSecondCSS);
replace(declarations, 'getPropertyValue', unturnedResultOf);
// Newer engines have the properties in an interface of their own.
const holders = [declarations, self.CSSStyleProperties && CSSStyleProperties.prototype,
  self.CSSFontFaceDescriptors && CSSFontFaceDescriptors.prototype];
// Those whose value may be an image or another file.
for (const name of ['background', 'backgroundImage', 'background-image', 'borderImage', 'border-image',
  'borderImageSource', 'border-image-source', 'clipPath', 'clip-path', 'content', 'cursor', 'filter', 'listStyle',
  'list-style', 'listStyleImage', 'list-style-image', 'mask', 'maskImage', 'mask-image', 'shapeOutside',
  'shape-outside', 'src', 'webkitMask', 'webkitMaskImage', '-webkit-mask-image', 'webkitMaskBoxImage']) {
  for (const holder of holders) replaceAccessor(holder, name, unturnedResultOf, turnFirstCSS);
}
/// `element.style = '…'` goes to `cssText`.
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

/// The address of a sheet, by what named it.
const sheetOwner = getter(StyleSheet.prototype, 'ownerNode');
const sheetRule = getter(CSSStyleSheet.prototype, 'ownerRule');
replaceAccessor(StyleSheet.prototype, 'href', (native, receiver, values) => {
  const value = apply(native, receiver, values);
  if (typeof value !== 'string' || !startsWith(value, plainPrefix)) return value;
  const owner = sheetOwner(receiver), rule = sheetRule(receiver);
  const written = owner && isElement(owner) ? attributeText(owner, 'href') : rule ? importAddress(rule) : null;
  return typeof written === 'string' && indexOf(written, turnedPrefix) >= 0 ? unturnedURL(value) : value;
});

/// The text of a `style` element.
const isStyle = node => isElement(node) && localName(node) === 'style';
replaceAccessor(Node.prototype, 'textContent', unturnedResultOf, (native, receiver, values) => {
  if (values.length > 0 && typeof values[0] === 'string' && mayTurn(values[0]) && isStyle(receiver)) {
    turnText(values, 0, turnedCSS);
  }
  return apply(native, receiver, values);
});
/// The text of scripts within the page, which native code turned: with Trusted Types they have attributes of their own.
for (const name of ['text', 'textContent', 'innerText']) {
  replaceAccessor(HTMLScriptElement.prototype, name, unturnedResultOf);
}
