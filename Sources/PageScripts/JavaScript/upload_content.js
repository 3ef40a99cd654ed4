// What native code can't read of a request's body: a scheme handler sees no Blob and no File on Apple's platforms, and
// reading them crashes WebKitGTK 2.50.

const blobType = getter(Blob.prototype, 'type');
const blobSize = getter(Blob.prototype, 'size');
const blobSlice = method(Blob.prototype, 'slice');
const blobBytes = method(Blob.prototype, 'arrayBuffer');
const fileName = getter(File.prototype, 'name');
const formEntries = method(FormData.prototype, 'entries');
const nextEntry = method(getPrototypeOf(new FormData().entries()), 'next');
const encode = method(TextEncoder.prototype, 'encode');
const encoder = new TextEncoder();
const encodeUTF8 = text => encode(encoder, text);
// The object itself is made when it is first asked for, which takes as long as a fifth of these scripts.
const cryptoOf = getter(self, 'crypto');
const randomValues = method(self.Crypto.prototype, 'getRandomValues');

const byteLengthOf = getter(ArrayBuffer.prototype, 'byteLength');
const arrayLengthOf = getter(getPrototypeOf(Uint8Array.prototype), 'byteLength');
const viewLengthOf = getter(DataView.prototype, 'byteLength');
const bufferOfArray = getter(getPrototypeOf(Uint8Array.prototype), 'buffer');
const bufferOfView = getter(DataView.prototype, 'buffer');
const offsetOfArray = getter(getPrototypeOf(Uint8Array.prototype), 'byteOffset');
const offsetOfView = getter(DataView.prototype, 'byteOffset');
const setBytes = method(getPrototypeOf(Uint8Array.prototype), 'set');
const parametersText = method(URLSearchParams.prototype, 'toString');

const isBlob = isOf(blobSize);
const isBuffer = isOf(byteLengthOf);
const isDataView = isOf(viewLengthOf);
const isParameters = isOf(parametersText);
const isView = ArrayBuffer.isView;

/// The length of a buffer, or of a view of one, in bytes.
const bufferSize = data => isBuffer(data) ? byteLengthOf(data) : isDataView(data) ? viewLengthOf(data) : arrayLengthOf(data);
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
  if (indexOf(text, '\r') < 0 && indexOf(text, '\n') < 0) return text;
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

/// What the native end takes with its request, in bytes: it holds that in memory.
const largestAtOnce = 67_108_864;

/// What is longer as a Blob with the `Content-Type` that the native gives it, or as the entries of a form without files;
/// otherwise `undefined`.
const longContent = body => {
  let blob, type = null;
  if (typeof body === 'string' || isParameters(body)) {
    const text = typeof body === 'string' ? body : parametersText(body);
    // A character becomes at most three bytes.
    if (text.length <= largestAtOnce / 3) return undefined;
    blob = blobOf([text]);
    type = typeof body === 'string' ? 'text/plain;charset=UTF-8' : 'application/x-www-form-urlencoded;charset=UTF-8';
  } else if (isBuffer(body) || isView(body)) {
    if (bufferSize(body) <= largestAtOnce) return undefined;
    blob = blobOf([body]);
  } else if (isForm(body)) {
    const entries = snapshot(body);
    let length = 0;
    for (let index = 0; index < entries.length; index += 1) length += entries[index].name.length + entries[index].value.length;
    return length > largestAtOnce / 3 ? {__proto__: null, entries} : undefined;
  }
  return blob && blobSize(blob) > largestAtOnce ? {__proto__: null, blob, type} : undefined;
};

/// The content that does not go with its request: what native code can't read, and what is too long for a scheme handler.
/// What waits for its answer can't be handed over apart; its native end refuses what is too long.
const sentApart = (body, isAsync = true) => fileContent(body) ?? (isAsync ? longContent(body) : undefined);

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB';
/// A name that no page can guess, for an upload and for the boundary of a form.
const makeName = () => {
  const random = randomValues(cryptoOf(page), new Uint8Array(16));
  let result = '';
  for (let index = 0; index < 16; index += 1) result += charAt(letters, random[index] & 63);
  return result;
};

/// A Blob of parts. It is given a list that iterates without the page's `Array.prototype`.
const blobOf = parts => {
  let index = -1;
  return new Blob({
    __proto__: null,
    [Symbol.iterator]: () => ({
      __proto__: null,
      next: () => {
        index += 1;
        return index < parts.length ? {__proto__: null, done: false, value: parts[index]} : {__proto__: null, done: true};
      },
    }),
  });
};

/// multipart/form-data, HTML §4.10.21.8. A Response of a form with files can't be read in WebKit 2.50, so it is put
/// together here; no file is read for it.
const multipart = (entries, boundary, encodeText = encodeUTF8) => {
  const parts = [];
  let text = '';
  for (let index = 0; index < entries.length; index += 1) {
    const {name, value} = entries[index];
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lines(name))}"`;
    if (typeof value === 'string') {
      text += `\r\n\r\n${lines(value)}\r\n`;
    } else {
      const type = blobType(value) || 'application/octet-stream';
      append(parts, encodeText(`${text}; filename="${quoted(fileName(value))}"\r\nContent-Type: ${type}\r\n\r\n`));
      append(parts, value);
      text = '\r\n';
    }
  }
  append(parts, encodeText(`${text}--${boundary}--\r\n`));
  return blobOf(parts);
};

/// The bytes of short blobs that were made of strings, buffers and views alone: those are sent at once, as when a page
/// is left.
const blobBytesAtHand = new WeakMap();
const largestAtHand = 65_536;

/// The bytes of a part of a Blob, in the part's own buffer if it has one; `undefined` for others, and for long ones.
const bytesOfPart = part => {
  if (typeof part === 'string') return part.length > largestAtHand ? undefined : encodeUTF8(part);
  if (isBuffer(part)) return new Uint8Array(part);
  if (!isView(part)) return undefined;
  return isDataView(part) ? new Uint8Array(bufferOfView(part), offsetOfView(part), viewLengthOf(part))
    : new Uint8Array(bufferOfArray(part), offsetOfArray(part), arrayLengthOf(part));
};
const rememberBytes = (blob, list) => {
  const size = blobSize(blob);
  if (size > largestAtHand || !isArray(list) || list.length > 64) return;
  const bytes = new Uint8Array(size);
  let length = 0;
  for (let index = 0; index < list.length; index += 1) {
    const {value} = getOwnPropertyDescriptor(list, index) ?? {__proto__: null}, part = bytesOfPart(value);
    if (!part) return;
    setBytes(bytes, part, length);
    length += arrayLengthOf(part);
  }
  // Otherwise the list was changed while it was read.
  if (length === size) weakSet(blobBytesAtHand, blob, bytes);
};

const blobs = replaceConstructor(self, 'Blob', (native, values, target) => {
  const seen = {__proto__: null, endings: undefined};
  if (values.length > 1) values[1] = watched(values[1], seen);
  const blob = construct(native, values, target);
  try {
    // Others change line ends.
    if (seen.endings === undefined || seen.endings === 'transparent') rememberBytes(blob, argument(values, 0));
  } catch {
    // More parts than bytes, or a buffer that is gone: the list was changed while it was read.
  }
  return blob;
});

// File inherits from what the page knows as Blob.
replaceConstructor(self, 'File', construct, blobs);

/// What such content will be: its `Content-Type`, if it has one; all of it as one Blob; and its bytes, where they are known
/// without being read.
const flatten = ({blob, entries, type}, boundary = `----WebKitFormBoundary${makeName()}`) => {
  if (!blob) {
    const all = multipart(entries, boundary);
    return {__proto__: null, type: `multipart/form-data; boundary=${boundary}`, blob: all, bytes: undefined};
  }
  const bytes = blobSize(blob) === 0 ? new Uint8Array(0) : weakGet(blobBytesAtHand, blob);
  return {__proto__: null, type: type ?? (blobType(blob) || null), blob, bytes};
};
