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
// Newer engines have the properties in an interface of their own.
const holders = [declarations, self.CSSStyleProperties && CSSStyleProperties.prototype,
  self.CSSFontFaceDescriptors && CSSFontFaceDescriptors.prototype];
/// Those whose value may be an image or another file.
const fileProperties = ['background', 'backgroundImage', 'background-image', 'borderImage', 'border-image',
  'borderImageSource', 'border-image-source', 'clipPath', 'clip-path', 'content', 'cursor', 'filter', 'listStyle',
  'list-style', 'listStyleImage', 'list-style-image', 'mask', 'maskImage', 'mask-image', 'shapeOutside',
  'shape-outside', 'src', 'webkitMask', 'webkitMaskImage', '-webkit-mask-image', 'webkitMaskBoxImage'];

/// The ways to a declaration. The first one that the page takes has its properties replaced: they are many, and few frames
/// come there at their start. Then the ways are the natives again.
const ways = [];
const openWays = () => {
  while (ways.length > 0) {
    const {holder, name, part, native, replacement} = ways[ways.length - 1];
    ways.length -= 1;
    const descriptor = getOwnPropertyDescriptor(holder, name);
    if (!descriptor || descriptor[part] !== replacement || !descriptor.configurable) continue;
    defineProperty(holder, name, {__proto__: null, ...descriptor, [part]: native});
  }
};
let areDeclared = false;
const declare = () => {
  if (areDeclared) return;
  areDeclared = true;
  replaceAccessor(declarations, 'cssText', unturnedResultOf, turnFirstCSS);
  replace(declarations, 'setProperty', turnSecondCSS);
  replace(declarations, 'getPropertyValue', unturnedResultOf);
  for (let index = 0; index < fileProperties.length; index += 1) {
    for (let place = 0; place < holders.length; place += 1) {
      replaceAccessor(holders[place], fileProperties[index], unturnedResultOf, turnFirstCSS);
    }
  }
  openWays();
};
const way = (holder, name, part) => {
  const both = standIn(holder, name, 'apply', native => (_, receiver, values) => {
    declare();
    return apply(native, receiver, values);
  }, {__proto__: null, part});
  if (both) append(ways, {__proto__: null, holder, name, part, native: both.native, replacement: both.replacement});
};
for (const kind of ['HTMLElement', 'SVGElement', 'MathMLElement', 'CSSStyleRule', 'CSSFontFaceRule', 'CSSPageRule',
  'CSSKeyframeRule', 'CSSNestedDeclarations', 'CSSPositionTryRule']) {
  way(self[kind] && self[kind].prototype, 'style', 'get');
}
way(self, 'getComputedStyle', 'value');
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
