// Request bodies with a Blob or a File as bytes: a scheme handler sees neither on Apple's platforms, and reading them
// crashes WebKitGTK 2.50.

const blobType = getter(Blob.prototype, 'type');
const blobSize = getter(Blob.prototype, 'size');
const blobBytes = method(Blob.prototype, 'arrayBuffer');
const fileName = getter(File.prototype, 'name');
const formEntries = method(FormData.prototype, 'entries');
const nextEntry = method(getPrototypeOf(new FormData().entries()), 'next');
const encode = method(TextEncoder.prototype, 'encode');
const encoder = new TextEncoder();
const setBytes = method(getPrototypeOf(Uint8Array.prototype), 'set');
const lengthOf = getter(getPrototypeOf(Uint8Array.prototype), 'length');
const randomValues = method(getPrototypeOf(crypto), 'getRandomValues');

const isBlob = isOf(blobSize);
const isForm = isOf(formEntries);

/// The entries of a form as they are now; later changes by the page do not matter.
const snapshot = form => {
  const entries = [], iterator = formEntries(form);
  for (;;) {
    const {done, value} = nextEntry(iterator);
    if (done) return entries;
    append(entries, {__proto__: null, name: value[0], value: value[1]});
  }
};

/// What native code can't read of a body: a Blob, or the entries of a form with a file, as they are now; otherwise
/// `undefined`.
const fileContent = body => {
  if (body === null || typeof body !== 'object') return undefined;
  if (isBlob(body)) return {__proto__: null, blob: body};
  if (!isForm(body)) return undefined;
  const entries = snapshot(body);
  for (let index = 0; index < entries.length; index += 1) {
    if (typeof entries[index].value !== 'string') return {__proto__: null, entries};
  }
  return undefined;
};

/// HTML §4.10.21.8: line breaks of names and of values that are no files.
const lines = text => {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = charAt(text, index);
    if (character === '\r') {
      result += '\r\n';
      if (charAt(text, index + 1) === '\n') index += 1;
    } else {
      result += character === '\n' ? '\r\n' : character;
    }
  }
  return result;
};
/// HTML §4.10.21.8: names in a field.
const quoted = text => {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = charAt(text, index);
    result += character === '\r' ? '%0D' : character === '\n' ? '%0A' : character === '"' ? '%22' : character;
  }
  return result;
};

const boundaryLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB';
const makeBoundary = () => {
  const random = randomValues(crypto, new Uint8Array(16));
  let result = '----WebKitFormBoundary';
  for (let index = 0; index < 16; index += 1) result += charAt(boundaryLetters, random[index] & 63);
  return result;
};

/// multipart/form-data, HTML §4.10.21.8. A Response of a form with files can't be read in WebKit 2.50, so it is put
/// together here.
const multipart = async (entries, boundary) => {
  const parts = [];
  let length = 0;
  const add = bytes => {
    append(parts, bytes);
    length += lengthOf(bytes);
  };
  for (let index = 0; index < entries.length; index += 1) {
    const {name, value} = entries[index];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lines(name))}"`;
    if (typeof value === 'string') {
      add(encode(encoder, `${head}\r\n\r\n${lines(value)}\r\n`));
    } else {
      const type = blobType(value) || 'application/octet-stream';
      add(encode(encoder, `${head}; filename="${quoted(fileName(value))}"\r\nContent-Type: ${type}\r\n\r\n`));
      add(new Uint8Array(await blobBytes(value)));
      add(encode(encoder, '\r\n'));
    }
  }
  add(encode(encoder, `--${boundary}--\r\n`));
  const all = new Uint8Array(length);
  for (let index = 0, place = 0; index < parts.length; index += 1) {
    setBytes(all, parts[index], place);
    place += lengthOf(parts[index]);
  }
  return {__proto__: null, bytes: all};
};

/// The bytes of blobs that were made of strings alone: those are sent at once, as when a page is left.
const blobTexts = new WeakMap();
const largestText = 65_536;

replaceConstructor(self, 'Blob', (native, values, target) => {
  const blob = construct(native, values, target), list = argument(values, 0);
  if (!isArray(list) || list.length > 64) return blob;
  let text = '';
  for (let index = 0; index < list.length; index += 1) {
    const part = getOwnPropertyDescriptor(list, index);
    if (!part || typeof part.value !== 'string') return blob;
    text += part.value;
  }
  if (text.length > largestText) return blob;
  const bytes = encode(encoder, text);
  // Otherwise its line ends were changed, or the list while it was read.
  if (lengthOf(bytes) === blobSize(blob)) weakSet(blobTexts, blob, bytes);
  return blob;
});

// File inherits from what the page knows as Blob.
setPrototypeOf(File, self.Blob);

const blobContent = async blob => ({__proto__: null, bytes: new Uint8Array(await blobBytes(blob))});

/// What such content will be: its `Content-Type` at once, where it has one; its bytes at once or later.
///
/// Promises are of objects without a prototype: one of bytes would ask the page for their `then`.
const flatten = ({blob, entries}, boundary = makeBoundary()) => {
  if (!blob) {
    const type = `multipart/form-data; boundary=${boundary}`;
    return {__proto__: null, type, text: undefined, later: multipart(entries, boundary)};
  }
  const text = weakGet(blobTexts, blob);
  return {__proto__: null, type: blobType(blob) || null, text, later: text ? undefined : blobContent(blob)};
};
