// Documents inside the page: frames, forms, policies.
section = 'Frames, forms and policies';
const inFrame = (url, attributes = {}) => {
  const id = unique();
  return frame({src: `${url}${url.includes('?') ? '&' : '?'}id=${id}`, ...attributes}, id);
};
kind('iframe', 'https://example.com, referrer https://example.com/matrix.html', () => inFrame('/frame.html'));
kind('iframe, other origin', 'https://example.net, referrer https://example.com/', () => inFrame(`${cdn}/frame.html`));
kind('iframe, sandboxed', 'null, referrer https://example.com/matrix.html', () => inFrame('/frame.html', {sandbox: 'allow-scripts'}));
kind('iframe without Content-Type', 'text/html', () => inFrame('/untyped'));
kind('iframe, redirected', 'https://example.com', async () => {
  const id = unique();
  return (await frame({src: `/redirect?to=${encodeURIComponent(`/frame.html?id=${id}`)}`}, id)).split(',')[0];
});
kind('iframe, redirected: its load events', '1', async () => {
  const id = unique(), made = document.createElement('iframe'), answer = told(id);
  let count = 0;
  made.onload = () => { count += 1; };
  made.src = `/redirect?to=${encodeURIComponent(`/frame.html?id=${id}`)}`;
  document.body.append(made);
  await answer;
  await new Promise(done => { if (made.contentDocument.readyState === 'complete') done(); else made.addEventListener('load', done); });
  return String(count);
});
kind('iframe, redirected to another origin', 'https://example.net', async () => {
  const id = unique();
  return (await frame({src: `/redirect?to=${encodeURIComponent(`https://example.net/frame.html?id=${id}`)}`}, id)).split(',')[0];
});
kind('iframe, redirected, in a sandbox without scripts', 'asked for', async () => {
  const id = unique(), made = document.createElement('iframe');
  made.sandbox = '';
  made.src = `/redirect?to=${encodeURIComponent(`/text?id=${id}`)}`;
  document.body.append(made);
  await text(`/arrived?of=${id}`);
  made.remove();
  return 'asked for';
});
kind('srcdoc', 'a script ran', () => {
  const id = unique();
  window.srcdocID = id;
  return frame({srcdoc: '<script src="/srcdoc.js"></script>'}, id);
});
kind('message to a frame that has a length, an event and a parent of its own', 'hello true', async () => {
  const made = document.createElement('iframe');
  document.body.append(made);
  const realm = made.contentWindow, heard = event(realm, 'message');
  realm.eval('var length = 5, event = 1, parent = {}');
  realm.postMessage({text: 'hello'}, '*');
  const {data, source} = await heard;
  made.remove();
  return `${data.text} ${source === window}`;
});
kind('blob document', 'some text', () => {
  const id = unique();
  const source = `<script>fetch('${site}/text').then(answer => answer.text()).then(text => parent.postMessage({id: '${id}', text}, '*'))</script>`;
  return frame({src: URL.createObjectURL(new Blob([source], {type: 'text/html'}))}, id);
});
kind('object', 'loaded', () => element('object', {data: '/image.png?object', type: 'image/png'}));
kind('object document', 'https://example.com', async () => {
  const id = unique();
  const answer = told(id);
  const made = document.createElement('object');
  made.data = `/frame.html?id=${id}`;
  made.type = 'text/html';
  document.body.append(made);
  return (await answer).split(',')[0];
});
kind('embed', 'https://example.com', async () => {
  const id = unique();
  const answer = told(id);
  const made = document.createElement('embed');
  made.src = `/frame.html?id=${id}`;
  made.type = 'text/html';
  document.body.append(made);
  return (await answer).split(',')[0];
});

// A form that a frame takes the answer of.
let submitted;
const submit = (attributes, values = {a: 'b c'}, file = null) => {
  const id = submitted = unique();
  const answer = frame({name: `form-${id}`}, id);
  const form = document.createElement('form');
  for (const [name, value] of Object.entries({target: `form-${id}`, ...attributes})) form.setAttribute(name, value);
  for (const [name, value] of Object.entries({...values, id})) {
    const field = document.createElement('input');
    [field.type, field.name, field.value] = ['hidden', name, value];
    form.append(field);
  }
  if (file) {
    const field = document.createElement('input');
    const transfer = new DataTransfer();
    transfer.items.add(file);
    [field.type, field.name] = ['file', 'file'];
    field.files = transfer.files;
    form.append(field);
  }
  if (attributes.method === 'post') form.action += `?id=${id}`;
  document.body.append(form);
  form.submit();
  return answer.then(got => upload(got).replaceAll(id, 'ID'));
};
kind('form GET', 'GET - a=b+c&id=ID', () => submit({action: '/form'}));
kind('form POST', 'POST application/x-www-form-urlencoded a=b+c&id=ID', () => submit({action: '/form', method: 'post'}));
kind('form POST, text/plain', 'POST text/plain a=b c|id=ID|', () => submit({action: '/form', method: 'post', enctype: 'text/plain'}));
kind('form POST, other origin', 'POST application/x-www-form-urlencoded a=b+c&id=ID', () => submit({action: `${cdn}/form`, method: 'post'}));
kind('form POST, multipart', 'POST multipart/form-data; boundary=B --B|Content-Disposition: form-data; name="a"||b c|--B|Content-Disposition: form-data; name="id"||ID|--B--|',
  () => submit({action: '/form', method: 'post', enctype: 'multipart/form-data'}));
kind('form POST, with a file', 'POST multipart/form-data; boundary=B --B|Content-Disposition: form-data; name="id"||ID|--B|Content-Disposition: form-data; name="file"; filename="notes.txt"|Content-Type: text/plain||in a file|--B--|',
  () => submit({action: '/form', method: 'post', enctype: 'multipart/form-data'}, {}, new File(['in a file'], 'notes.txt', {type: 'text/plain'})));
kind('form POST: request', 'origin: https://example.com; referer: https://example.com/matrix.html', async () => {
  const answer = submit({action: '/form', method: 'post'}), id = submitted;
  await answer;
  return fields((await asked(id))[0], 'origin', 'referer');
});
kind('form POST, redirected by 303', 'GET - ', async () => {
  const id = unique();
  const answer = frame({name: `form-${id}`}, id);
  const form = document.createElement('form');
  [form.target, form.method, form.action] = [`form-${id}`, 'post', `/redirect?status=303&to=${encodeURIComponent(`/form?id=${id}`)}`];
  document.body.append(form);
  form.submit();
  return upload(await answer).replaceAll(`id=${id}`, '');
});
kind("CSP 'self'", 'own image: loaded, other image: error, own script: loaded, other script: error', () => inFrame('/policy.html'));
const refused = async parameter => {
  const made = document.createElement('iframe');
  const load = event(made, 'load');
  made.src = `/frame.html?${parameter}&id=${unique()}`;
  document.body.append(made);
  await load;
  return made.contentDocument?.scripts.length ? 'a document' : 'no document';
};
kind('X-Frame-Options DENY', 'no document', () => refused('frame=DENY'));
kind('X-Frame-Options SAMEORIGIN', 'a document', () => refused('frame=SAMEORIGIN'));
const ancestors = list => `csp=${encodeURIComponent(`frame-ancestors ${list}`)}`;
kind('CSP frame-ancestors that names nobody', 'no document', () => refused(ancestors("'none'")));
kind('CSP frame-ancestors that names the page', 'a document', () => refused(ancestors("'self'")));
kind('CSP frame-ancestors that names another one', 'no document', () => refused(ancestors('https://example.org')));

// Forms that the web view sends by itself, as multipart/form-data.
const manyParts = (...entries) => `multipart/form-data; boundary=B ${entries.join('')}--B--|`;
const fileIn = (name, content = 'in a file') =>
  `--B|Content-Disposition: form-data; name="${name}"; filename="notes.txt"|Content-Type: text/plain||${content}|`;
const fieldIn = (name, value) => `--B|Content-Disposition: form-data; name="${name}"||${value}|`;
const noFileIn = name => `--B|Content-Disposition: form-data; name="${name}"; filename=""|Content-Type: application/octet-stream|||`;
const notes = () => new File(['in a file'], 'notes.txt', {type: 'text/plain'});
// A form with a file, and what came of what `action` did with it.
const fileForm = async (action, {url = '/form', fields = '', files = [notes()]} = {}) => {
  const id = unique();
  const answer = frame({name: `form-${id}`}, id);
  const holder = document.createElement('div');
  holder.innerHTML = `<form method="post" enctype="multipart/form-data" action="${url}?id=${id}" target="form-${id}">`
    + `<input name="before" value="1">${fields}<input type="file" name="file" multiple><input name="after" value="2"></form>`;
  const form = holder.firstChild, transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  form.elements.file.files = transfer.files;
  document.body.append(holder);
  const told = await action(form, id);
  const result = upload(await answer).replaceAll(id, 'ID');
  holder.remove();
  return told === undefined ? result : `${told}; ${result}`;
};
const usual = manyParts(fieldIn('before', 1), fileIn('file'), fieldIn('after', 2));
kind('form with a file, submit()', `POST ${usual}`, () => fileForm(form => form.submit()));
kind('form with a file, requestSubmit()', `POST ${usual}`, () => fileForm(form => form.requestSubmit()));
kind('form with a file, its button', `POST ${manyParts(fieldIn('before', 1), fieldIn('go', 'on'), fileIn('file'), fieldIn('after', 2))}`,
  () => fileForm(form => form.elements.go.click(), {fields: '<button name="go" value="on">Go</button>'}));
kind('form with a file, a button’s formaction', `POST ${manyParts(fieldIn('before', 1), fieldIn('go', 'on'), fileIn('file'), fieldIn('after', 2))}`,
  () => fileForm((form, id) => {
    form.action = '/nothing';
    form.elements.go.setAttribute('formaction', `/form?id=${id}`);
    form.elements.go.click();
  }, {fields: '<button name="go" value="on">Go</button>'}));
kind('form with a file, a button’s formenctype', `POST ${usual}`, () => fileForm((form, id) => {
  form.enctype = 'text/plain';
  form.elements.go.click();
}, {fields: '<input type="submit" id="go" formenctype="multipart/form-data">'}));
kind('form with a file, submit() after its submit event was prevented', `POST ${usual}`, () => fileForm(form => {
  form.addEventListener('submit', event => {
    event.preventDefault();
    setTimeout(() => form.submit());
  });
  form.elements.go.click();
}, {fields: '<button id="go" formaction="/nothing">Go</button>'}));
kind('form with two files', `POST ${manyParts(fieldIn('before', 1), fileIn('file'), fileIn('file', 'another'), fieldIn('after', 2))}`,
  () => fileForm(form => form.submit(), {files: [notes(), new File(['another'], 'notes.txt', {type: 'text/plain'})]}));
kind('form with an empty file field', `POST ${manyParts(fieldIn('before', 1), noFileIn('file'), fieldIn('after', 2))}`,
  () => fileForm(form => form.submit(), {files: []}));
kind('form with a file, other origin', `POST ${usual}`, () => fileForm(form => form.submit(), {url: `${cdn}/form`}));
kind('form with a file whose listeners add entries', `before file after; POST ${manyParts(fieldIn('before', 1), fileIn('file'), fieldIn('after', 2), fieldIn('form', 3), fieldIn('window', 4))}`,
  () => fileForm(form => {
    let seen;
    form.addEventListener('formdata', event => {
      seen = [...event.formData.keys()].join(' ');
      event.formData.append('form', '3');
    });
    addEventListener('formdata', event => event.formData.append('window', '4'), {once: true});
    form.submit();
    return seen;
  }));
kind('form with a file whose listeners stop its events', `POST ${usual}; POST ${usual}`, async () => {
  const stopped = target => fileForm(form => {
    target(form).addEventListener('formdata', event => event.stopPropagation(), {once: true});
    form.submit();
  });
  return `${await stopped(form => form)}; ${await stopped(() => document)}`;
});
kind('form with a file, read as FormData in its submit event', `before file after notes.txt; POST ${usual}`, () => fileForm(form => {
  let seen;
  form.addEventListener('submit', () => {
    const data = new FormData(form);
    seen = `${[...data.keys()].join(' ')} ${data.get('file').name}`;
  });
  form.requestSubmit();
  return seen;
}));
kind('form with names and line ends that need care', `POST ${manyParts(fieldIn('before', 1), fieldIn('a%22b', 'c|d|e'), fileIn('file'), fieldIn('after', 2))}`,
  () => fileForm(form => {
    form.elements.odd.value = 'c\nd\r\ne';
    form.submit();
  }, {fields: '<textarea id="odd" name="a&quot;b"></textarea>'}));
kind('form with letters beyond ASCII', 'POST multipart/form-data; boundary=B 470 octets',
  () => fileForm(form => form.submit(), {fields: '<input name="ü" value="ö">'}));
kind('form with a large file', `POST multipart/form-data; boundary=B ${fieldIn('a', 'b')}--B|Content-Disposition: form-data; name="file"; filename="large.bin"|Content-Type: application/x-own 3500000 bytes, as they were`,
  async () => {
    const id = unique(), answer = frame({name: `form-${id}`}, id), form = document.createElement('form'), transfer = new DataTransfer();
    form.innerHTML = '<input name="a" value="b"><input type="file" name="file">';
    transfer.items.add(largeFile(megabytes));
    form.elements.file.files = transfer.files;
    [form.method, form.enctype, form.action, form.target] = ['post', 'multipart/form-data', `/form-pattern?id=${id}`, `form-${id}`];
    document.body.append(form);
    form.submit();
    return upload(await answer);
  });
kind('form with a file, redirected by 307', `POST ${usual}`, async () => fileForm((form, id) => {
  form.action = `/redirect?status=307&to=${encodeURIComponent(`/form?id=${id}`)}`;
  form.submit();
}));
