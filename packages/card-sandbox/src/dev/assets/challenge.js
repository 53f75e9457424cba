// The script of the 3-D Secure page. In a frame, the script sends the answer to the parent window. In a separate tab,
// the form works without the script.
const theme = new URLSearchParams(window.location.search).get('theme');
if (theme) document.documentElement.dataset.theme = theme;
const framed = window.parent !== window;
const tell = (source, outcome) =>
  window.parent.postMessage({ type: 'sbx-3ds', source, outcome }, window.location.origin);
const source = window.location.pathname.split('/').pop();

const form = document.querySelector('[data-challenge]');
if (framed && form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const buttons = [...form.querySelectorAll('button')];
    for (const button of buttons) button.disabled = true;
    try {
      const res = await fetch(window.location.pathname, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ outcome: event.submitter?.value ?? 'fail' }),
      });
      if (!res.ok) throw new Error();
      tell(source, (await res.json()).status);
    } catch {
      for (const button of buttons) button.disabled = false;
    }
  });
  form.querySelector('button')?.focus();
}
const settled = document.querySelector('[data-settled]');
if (framed && settled) tell(source, settled.dataset.settled);
if (framed) window.addEventListener('keydown', (event) => event.key === 'Escape' && tell(source, 'escape'));
