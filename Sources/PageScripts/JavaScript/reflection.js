// What all scripts use of the language, taken before the page can change it. Nothing here calls what a page can replace: no
// method by its name, no `for … of`, no spread of arrays, no regular expression.

const {apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, preventExtensions, setPrototypeOf}
  = Reflect;
const {String} = self;

/// The method `name` of a prototype as a function that takes its receiver first.
const method = (prototype, name) => {
  const native = prototype[name];
  return (receiver, ...values) => apply(native, receiver, values);
};

const lowerCase = method(String.prototype, 'toLowerCase');
const indexOf = method(String.prototype, 'indexOf');
const slice = method(String.prototype, 'slice');
const charAt = method(String.prototype, 'charAt');

/// Appends to a list of ours, which no setter of `Array.prototype` sees.
const append = (list, value) => defineProperty(list, list.length, {
  __proto__: null, value, writable: true, enumerable: true, configurable: true,
});
