// The script of /dev/payments. Plain JavaScript, because the page has no build step.
const toast = document.querySelector('[data-toast]');
let hide;
const say = (text) => {
  toast.textContent = text;
  toast.classList.add('shown');
  clearTimeout(hide);
  hide = setTimeout(() => toast.classList.remove('shown'), 2500);
};

async function call(method, path, body) {
  const res = await fetch(`/dev/payments${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  const answer = await res.json().catch(() => ({}));
  if (!res.ok) throw new Error(answer.detail ?? `The sandbox answered ${res.status}.`);
  return answer;
}
const attempt = (work) => work().catch((error) => say(error.message));

async function copy(number) {
  try {
    await navigator.clipboard.writeText(number);
    say(`Copied ${number}`);
  } catch {
    // The clipboard requires https and permission. If either is missing, the number is still selected.
    say(number);
  }
}

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('button');
  if (!button) return;
  if (button.dataset.copy) void copy(button.dataset.copy);
  if (button.dataset.deliver)
    void attempt(async () => {
      await call('POST', `/events/${button.dataset.deliver}/deliver`);
      say('On its way');
      setTimeout(refresh, 300);
    });
  if (button.dataset.act)
    void attempt(async () => {
      await call('POST', button.dataset.act, JSON.parse(button.dataset.body));
      say('Done');
      button.blur();
      await refresh();
    });
  if ('deliverAll' in button.dataset)
    void attempt(async () => {
      const { delivering } = await call('POST', '/deliver-all');
      say(delivering === 0 ? 'Nothing is waiting' : `${delivering} on the way`);
      setTimeout(refresh, 300);
    });
});

document.addEventListener('submit', (event) => {
  const path = event.target.dataset.actForm;
  if (!path) return;
  event.preventDefault();
  const data = new FormData(event.target, event.submitter);
  void attempt(async () => {
    await call('POST', path, {
      amount: Math.round(Number(data.get('amount')) * 100),
      isInquiry: data.has('isInquiry'),
    });
    say('Done');
    document.activeElement?.blur();
    await refresh();
  });
});

const form = document.querySelector('[data-webhooks]');
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('change', () => {
  if (!form.reportValidity()) return;
  void attempt(async () => {
    const data = new FormData(form);
    const { mode, seconds } = await call('PUT', '/webhooks', {
      mode: data.get('mode'),
      seconds: Number(data.get('seconds')),
    });
    say(mode === 'late' || mode === 'shuffled' ? `Webhooks: ${mode}, ${seconds} s` : `Webhooks: ${mode}`);
    void refresh();
  });
});

let shown = '';
async function refresh() {
  if (document.hidden) return;
  try {
    const res = await fetch('/dev/payments', { headers: { accept: 'text/html' } });
    if (!res.ok) return;
    const next = new DOMParser().parseFromString(await res.text(), 'text/html').querySelector('[data-live]');
    // Renders only changes, and never replaces the element that has keyboard focus.
    if (!next || next.innerHTML === shown) return;
    const live = document.querySelector('[data-live]');
    if (live.contains(document.activeElement) && ['SUMMARY', 'INPUT'].includes(document.activeElement.tagName)) return;
    shown = next.innerHTML;
    const open = new Set([...live.querySelectorAll('details[open]')].map((details) => details.dataset.keep));
    const focused = live.contains(document.activeElement) ? document.activeElement.dataset.deliver : undefined;
    live.replaceChildren(...next.childNodes);
    for (const details of live.querySelectorAll('details')) if (open.has(details.dataset.keep)) details.open = true;
    if (focused) live.querySelector(`[data-deliver="${CSS.escape(focused)}"]`)?.focus();
  } catch {
    // The sandbox is restarting; the next poll will succeed.
  }
}
setInterval(refresh, 2000);
