// What the other sources use of elements.

const htmlNamespace = 'http://www.w3.org/1999/xhtml';
const localName = getter(Element.prototype, 'localName');
const namespaceOf = getter(Element.prototype, 'namespaceURI');
const isElement = isOf(localName);
/// A content attribute as it is in the document, turned or not.
const attributeText = method(Element.prototype, 'getAttribute');

/// What a getter or method says, as the page wrote it.
const unturnedResultOf = (native, receiver, values) => {
  const value = apply(native, receiver, values);
  return typeof value === 'string' ? unturned(value) : value;
};
