// Content attributes: `setAttribute` and the like, `Attr` nodes, and reading them.

const attributeOwner = getter(Attr.prototype, 'ownerElement'), attributeName = getter(Attr.prototype, 'name');
const attributeValue = getter(Attr.prototype, 'value');
const isAttribute = isOf(attributeOwner);
const {set: setValue} = getOwnPropertyDescriptor(Attr.prototype, 'value');

/// Turns a value for an attribute of an element.
const turnAttribute = (element, name, values, index) => {
  const turn = turnOf(localName(element), namespaceOf(element) === htmlNamespace ? lowerCase(name) : name);
  if (turn) turnArgument(values, index, turn);
};

replace(Element.prototype, 'setAttribute', (native, receiver, values) => {
  if (values.length > 1 && mayTurn(values[1]) && isElement(receiver)) {
    values[0] = `${values[0]}`;
    turnAttribute(receiver, values[0], values, 1);
  }
  return apply(native, receiver, values);
});
replace(Element.prototype, 'setAttributeNS', (native, receiver, values) => {
  if (values.length > 2 && mayTurn(values[2]) && isElement(receiver) && typeof values[1] === 'string') {
    const end = indexOf(values[1], ':'), name = end < 0 ? values[1] : slice(values[1], end + 1);
    turnAttribute(receiver, name, values, 2);
  }
  return apply(native, receiver, values);
});

replace(Element.prototype, 'getAttribute', unturnedResultOf);
replace(Element.prototype, 'getAttributeNS', unturnedResultOf);

/// The value of an Attr node: of an attribute that is in no element yet, only what is read is changed.
const writeAttribute = (native, receiver, values) => {
  const owner = isAttribute(receiver) && attributeOwner(receiver);
  if (owner) turnAttribute(owner, attributeName(receiver), values, 0);
  return apply(native, receiver, values);
};
replaceAccessor(Attr.prototype, 'value', unturnedResultOf, writeAttribute);
replaceAccessor(Node.prototype, 'nodeValue', unturnedResultOf);
replaceAccessor(CharacterData.prototype, 'data', unturnedResultOf);
/// An attribute that gets its element: turned before, as the element loads at once.
const adopt = ownerOf => (native, receiver, values) => {
  const attribute = argument(values, 0);
  if (isAttribute(attribute) && attributeOwner(attribute) === null && mayTurn(attributeValue(attribute))) {
    const owner = ownerOf(receiver), written = [attributeValue(attribute)];
    if (owner) {
      turnAttribute(owner, attributeName(attribute), written, 0);
      apply(setValue, attribute, written);
    }
  }
  return apply(native, receiver, values);
};
const itself = receiver => isElement(receiver) ? receiver : null;
replace(Element.prototype, 'setAttributeNode', adopt(itself));
replace(Element.prototype, 'setAttributeNodeNS', adopt(itself));
/// A list of attributes does not tell whose it is, but each attribute in it does.
const attributeAt = method(NamedNodeMap.prototype, 'item');
const ownerOfList = receiver => {
  try {
    return attributeOwner(attributeAt(receiver, 0));
  } catch {
    return null;
  }
};
replace(NamedNodeMap.prototype, 'setNamedItem', adopt(ownerOfList));
replace(NamedNodeMap.prototype, 'setNamedItemNS', adopt(ownerOfList));

/// What an attribute was.
replaceAccessor(MutationRecord.prototype, 'oldValue', unturnedResultOf);
