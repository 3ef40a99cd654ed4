// Forms that the web view sends by itself as multipart/form-data: their content is handed over, and a name is sent in its
// place. The web view sends the form all the same: target, history and referrer are its own.

const {FormDataEvent, TextDecoder} = self;
const formDataOf = getter(FormDataEvent.prototype, 'formData');
const submitterOf = getter(SubmitEvent.prototype, 'submitter');
const targetOf = getter(Event.prototype, 'target');
const phaseOf = getter(Event.prototype, 'eventPhase');
const wasPrevented = getter(Event.prototype, 'defaultPrevented');
const wasStopped = getter(Event.prototype, 'cancelBubble');
const documentOfNode = getter(Node.prototype, 'ownerDocument');
const windowOf = getter(Document.prototype, 'defaultView');
const deleteEntry = method(FormData.prototype, 'delete');
const appendEntry = method(FormData.prototype, 'append');
const hasAttribute = method(Element.prototype, 'hasAttribute');
const charsetOf = getter(Document.prototype, 'characterSet');
const acceptedCharset = getter(HTMLFormElement.prototype, 'acceptCharset');

const getEntry = method(FormData.prototype, 'get');
const apart = `${mark};apart`;
let lastReply = 0;

/// What sends parts of a form's content to `url`, as those of `makePost` do: by the script in a world of its own, where there
/// is one, since forms are bound by other policies than what the page fetches.
const makeFormPost = url => {
  const postHere = makePost(url);
  return async (said, body) => {
    const parts = construct(FormData, []), reply = `${apart};reply=${lastReply += 1}`;
    appendEntry(parts, 'url', url);
    appendEntry(parts, 'accept', `${mark};${said}`);
    appendEntry(parts, 'reply', reply);
    if (body) appendEntry(parts, 'body', blobOf([body]));
    const answered = new Promise(resolve => {
      listen(page, reply, event => resolve(+getEntry(formDataOf(event), 'status')), {__proto__: null, once: true});
    });
    const event = construct(FormDataEvent, [apart, {__proto__: null, cancelable: true, formData: parts}]);
    return await (dispatch(page, event) ? postHere(said, body) : answered);
  };
};

/// Getters of an element's `action`, `enctype`, `method` and `target`, for a form and for the buttons that may replace them.
const ofForm = {__proto__: null};
const ofButton = {__proto__: null};
const ofInput = {__proto__: null};
for (let index = 0, names = ['Action', 'Enctype', 'Method', 'Target']; index < 4; index += 1) {
  const name = names[index];
  ofForm[name] = getter(HTMLFormElement.prototype, lowerCase(name));
  ofButton[name] = getter(HTMLButtonElement.prototype, `form${name}`);
  ofInput[name] = getter(HTMLInputElement.prototype, `form${name}`);
}
const isButton = isOf(ofButton.Action);

/// Where, how and in which form it is sent, HTML §4.10.21.3.
const submissionOption = (name, form, submitter) => {
  if (!submitter || !hasAttribute(submitter, `form${lowerCase(name)}`)) return ofForm[name](form);
  return (isButton(submitter) ? ofButton : ofInput)[name](submitter);
};

/// How many forms are being read for `new FormData`, which has the event of a submission. The form may be another
/// window's, which is told by events whose names no page knows.
let reading = 0;
const beginReading = () => { reading += 1; };
const endReading = () => { if (reading > 0) reading -= 1; };
const tellReading = (window, name) => {
  if (window) dispatch(window, construct(Event, [`${mark};${name}`]));
};
const windowOfForm = form => {
  try {
    return windowOf(documentOfNode(form));
  } catch {
    // The native refuses it.
    return null;
  }
};
replaceConstructor(self, 'FormData', (native, values, target) => {
  const form = argument(values, 0), window = form === undefined ? null : windowOfForm(form);
  tellReading(window, 'reading');
  try {
    return construct(native, values, target);
  } finally {
    tellReading(window, 'read');
  }
});

/// The last event of a form that is to be sent; `form.submit()` has none.
let submission;
const hearSubmit = event => {
  if (event.isTrusted) submission = event;
};

const takeSubmitter = form => {
  const event = submission;
  if (!event || targetOf(event) !== form || phaseOf(event) !== 0 || wasPrevented(event)) return null;
  submission = undefined;
  return submitterOf(event);
};

const isTop = page === page.top, nameOf = optionalGetter(self, 'name');

/// Whether the answer surely goes to another frame or window, so that the page stays. Otherwise the web view would stop
/// what the page sends: then native code keeps all of it before the web view navigates.
const leavesPage = target => {
  const text = lowerCase(target);
  return text === '_blank' || isTop && text !== '' && charAt(text, 0) !== '_' && text !== lowerCase(nameOf(page));
};

const decodeBytes = method(TextDecoder.prototype, 'decode');
const encodingOf = getter(TextDecoder.prototype, 'encoding');
const codePointAt = method(String.prototype, 'codePointAt');

/// Encodings in which a byte is a character: the beginnings of their names.
const singleByte = ['windows-', 'iso-8859-', 'koi8-', 'macintosh', 'x-mac-', 'ibm866'];

/// Encoding §4.1 with the error mode "html" for such an encoding.
const singleByteEncoder = decoder => {
  const bytes = {__proto__: null}, one = new Uint8Array(1);
  for (let byte = 0; byte < 256; byte += 1) {
    one[0] = byte;
    bytes[decodeBytes(decoder, one)] = byte;
  }
  return text => {
    const list = [];
    for (let index = 0; index < text.length; index += 1) {
      const character = charAt(text, index), byte = bytes[character];
      if (byte !== undefined && character !== '\uFFFD') {
        append(list, byte);
        continue;
      }
      const code = codePointAt(text, index), entity = encodeUTF8(`&#${code};`);
      for (let at = 0; at < arrayLengthOf(entity); at += 1) append(list, entity[at]);
      if (code > 0xFFFF) index += 1;
    }
    const result = new Uint8Array(list.length);
    for (let index = 0; index < list.length; index += 1) result[index] = list[index];
    return result;
  };
};

const isASCII = entries => {
  for (let index = 0; index < entries.length; index += 1) {
    const {name, value} = entries[index], text = name + (typeof value === 'string' ? value : fileName(value));
    if (arrayLengthOf(encodeUTF8(text)) !== text.length) return false;
  }
  return true;
};

/// The first of a form's encodings that there is (HTML §4.10.21.5); without any named, its document's.
const decoderOf = accepted => {
  const labels = accepted === '' ? [charsetOf(document)] : splitLabels(accepted);
  for (let index = 0; index < labels.length; index += 1) {
    try {
      return new TextDecoder(labels[index]);
    } catch {}
  }
  return new TextDecoder();
};
/// WebKit takes commas between them, too.
const splitLabels = text => {
  const labels = [];
  let label = '';
  for (let index = 0; index <= text.length; index += 1) {
    const character = charAt(text, index);
    if (character > ' ' && character !== ',') {
      label += character;
      continue;
    }
    if (label !== '') append(labels, label);
    label = '';
  }
  return labels;
};

/// What encodes the texts of a form (HTML §4.10.21.5); `undefined` where that can't be done here.
const encoderOf = (form, entries) => {
  const decoder = decoderOf(acceptedCharset(form));
  const name = encodingOf(decoder);
  if (name === 'utf-8' || slice(name, 0, 6) === 'utf-16' || isASCII(entries)) return encodeUTF8;
  for (let index = 0; index < singleByte.length; index += 1) {
    if (slice(name, 0, singleByte[index].length) === singleByte[index]) return singleByteEncoder(decoder);
  }
  return undefined;
};

const putNameInPlace = event => {
  if (!event.isTrusted || reading > 0) return;
  const form = targetOf(event), submitter = takeSubmitter(form);
  const url = handledURL(submissionOption('Action', form, submitter));
  if (!url || submissionOption('Method', form, submitter) !== 'post'
    || submissionOption('Enctype', form, submitter) !== 'multipart/form-data') return;
  const data = formDataOf(event), entries = snapshot(data), encodeText = encoderOf(form, entries), name = makeName();
  if (!encodeText) return;
  const held = leavesPage(submissionOption('Target', form, submitter)) ? '1' : 'held';
  handOver(multipart(entries, `----WebKitFormBoundary${name}`, encodeText), url, tellNobody, name, `;form=${held}`,
    makeFormPost(url));
  for (let index = 0; index < entries.length; index += 1) deleteEntry(data, entries[index].name);
  appendEntry(data, name, '');
};

const readForm = event => {
  try {
    if (isOn('form')) putNameInPlace(event);
  } catch {
    // It is sent as it is, and refused.
    noteFault('form');
  }
};
/// A listener at a form or its document may keep the event from the window.
const readStopped = event => {
  if (wasStopped(event)) readForm(event);
};
/// Listens behind the page's own, which may add entries.
const becomeLast = (target, hear) => {
  stopListening(target, 'formdata', hear);
  listen(target, 'formdata', hear);
};
const hearFormData = event => {
  if (!event.isTrusted) return;
  becomeLast(targetOf(event), readStopped);
  becomeLast(document, readStopped);
  becomeLast(page, readForm);
};
keepListening(() => {
  listen(page, `${mark};reading`, beginReading);
  listen(page, `${mark};read`, endReading);
  listen(page, 'submit', hearSubmit, true);
  listen(page, 'formdata', hearFormData, true);
});
