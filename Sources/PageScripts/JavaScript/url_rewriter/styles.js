// Style sheets and inline styles that scripts write, and reading them.

const {Object} = self;
const turnFirstCSS = turningText(0, turnedCSS), turnSecondCSS = turningText(1, turnedCSS);
/// What a property says. The addresses of computed values are resolved, by which the prefix is written as in the document's
/// own address.
const readStyle = (native, receiver, values) => {
  const value = apply(native, receiver, values);
  if (typeof value !== 'string' || indexOf(value, 'https://') < 0) return value;
  const text = unturned(value), next = findNamed(text), {length} = plainPrefix;
  let result = '', start = 0, found = next(0);
  while (found >= 0) {
    if (found >= start + length && startsWith(text, plainPrefix, found - length)) {
      result += slice(text, start, found - length);
      start = found;
    }
    found = next(found + 1);
  }
  return result + slice(text, start);
};
/// Those of the page's own are as it wrote them.
const readStyleByName = (native, receiver, values) => {
  const name = argument(values, 0);
  return typeof name === 'string' && !startsWith(name, '--') ? readStyle(native, receiver, values)
    : unturnedResultOf(native, receiver, values);
};

/// Those whose value may be an image or another file.
const fileProperties = ['background', 'backgroundImage', 'background-image', 'borderImage', 'border-image',
  'borderImageSource', 'border-image-source', 'clipPath', 'clip-path', 'content', 'cursor', 'filter', 'listStyle',
  'list-style', 'listStyleImage', 'list-style-image', 'mask', 'maskImage', 'mask-image', 'shapeOutside',
  'shape-outside', 'src', 'webkitMask', 'webkitMaskImage', '-webkit-mask-image', 'webkitMaskBoxImage'];

/// The prototypes of declarations have many hundreds of properties, which engines make when a script first touches them. So
/// they are replaced when the page first reaches a declaration of theirs, and not at the start of every frame.
const declared = [];
const isDeclared = prototype => {
  for (let index = 0; index < declared.length; index += 1) if (declared[index] === prototype) return true;
  return false;
};
const declare = declaration => {
  // Newer engines have the properties in an interface of their own.
  let holder = declaration;
  // A page can put prototypes without an end behind them.
  for (let depth = 0; depth < 4; depth += 1) {
    holder = getPrototypeOf(holder);
    if (!holder || holder === Object.prototype) return;
    if (isDeclared(holder)) continue;
    append(declared, holder);
    replaceAccessor(holder, 'cssText', readStyle, turnFirstCSS);
    replace(holder, 'setProperty', turnSecondCSS);
    replace(holder, 'getPropertyValue', readStyleByName);
    for (let index = 0; index < fileProperties.length; index += 1) {
      replaceAccessor(holder, fileProperties[index], readStyle, turnFirstCSS);
    }
  }
};
/// A way to a declaration, which is the native again once it was taken.
const way = (holder, name, part) => {
  const both = standIn(holder, name, 'apply', native => (_, receiver, values) => {
    const result = apply(native, receiver, values);
    try {
      if (typeof result === 'object' && result !== null) declare(result);
    } catch {
      // A prototype of the page's own refuses; its declarations are left as they are.
    }
    const descriptor = getOwnPropertyDescriptor(holder, name);
    if (descriptor && descriptor[part] === both.replacement && descriptor.configurable) {
      defineProperty(holder, name, {__proto__: null, ...descriptor, [part]: native});
    }
    return result;
  }, {__proto__: null, part});
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
replaceConstructor(self, 'FontFace', constructing(values => turnText(values, 1, turnedCSS)));

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
const writeText = (native, receiver, values) => {
  if (values.length > 0 && typeof values[0] === 'string' && mayTurn(values[0]) && isStyle(receiver)) {
    turnText(values, 0, turnedCSS);
  }
  return apply(native, receiver, values);
};
replaceAccessor(Node.prototype, 'textContent', unturnedResultOf, writeText);
replaceAccessor(HTMLElement.prototype, 'innerText', unturnedResultOf, writeText);
/// The text of scripts within the page, which native code turned: with Trusted Types they have attributes of their own.
for (const name of ['text', 'textContent', 'innerText']) {
  replaceAccessor(HTMLScriptElement.prototype, name, unturnedResultOf);
}
