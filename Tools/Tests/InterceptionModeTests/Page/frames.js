// Documents inside the page: frames, forms, policies.
section = 'Frames, forms and policies';
const inFrame = (url, attributes = {}) => {
  const id = unique();
  return frame({src: `${url}${url.includes('?') ? '&' : '?'}id=${id}`, ...attributes}, id);
};
kind('iframe', 'https://example.com, referrer https://example.com/matrix.html', () => inFrame('/frame.html'));
kind('iframe, other origin', 'https://example.net, referrer https://example.com/', () => inFrame(`${cdn}/frame.html`));
kind('iframe, sandboxed', 'null, referrer https://example.com/matrix.html', () => inFrame('/frame.html', {sandbox: 'allow-scripts'}));
kind('iframe, redirected', 'https://example.com', async () => {
  const id = unique();
  return (await frame({src: `/redirect?to=${encodeURIComponent(`/frame.html?id=${id}`)}`}, id)).split(',')[0];
});
kind('iframe, redirected to another origin', 'https://example.net', async () => {
  const id = unique();
  return (await frame({src: `/redirect?to=${encodeURIComponent(`https://example.net/frame.html?id=${id}`)}`}, id)).split(',')[0];
});
kind('srcdoc', 'a script ran', () => {
  const id = unique();
  window.srcdocID = id;
  return frame({srcdoc: '<script src="/srcdoc.js"></script>'}, id);
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
const submit = (attributes, values = {a: 'b c'}, file = null) => {
  const id = unique();
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
