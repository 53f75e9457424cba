import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, fakeApi, type FakeCall } from '../testing/fake-api.ts';
import { createSandboxStripe } from './index.ts';

const SECRET = 'pi_1_secret_2';
const CONFIRM = 'POST /sandbox/stripe/v1/payment_intents/pi_1/confirm';
const RETRIEVE = 'GET /sandbox/stripe/v1/payment_intents/pi_1';
const intent = (status: string, more: object = {}) => ({
  id: 'pi_1',
  object: 'payment_intent',
  status,
  client_secret: SECRET,
  next_action: null,
  last_payment_error: null,
  ...more,
});
const waiting = intent('requires_action', {
  next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', source: 'src_1' } },
});
const refused = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
  payment_intent: intent('requires_payment_method'),
};

function Pay({ onReady, onChange }: { onReady: () => void; onChange: (event: unknown) => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [said, setSaid] = useState('');
  const pay = async () => {
    if (!stripe || !elements) return;
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      confirmParams: {
        return_url: 'http://localhost:3000/done',
        payment_method_data: { billing_details: { email: 'ann@example.test' } },
      },
      redirect: 'if_required',
    });
    setSaid(error ? `${error.type}: ${error.message}` : `paid: ${paymentIntent.status}`);
  };
  return (
    <>
      <PaymentElement onReady={onReady} onChange={onChange} />
      <button type="button" onClick={() => void pay()}>
        Pay
      </button>
      <p>{said}</p>
    </>
  );
}

const ready = vi.fn();
const changed = vi.fn();
beforeEach(() => {
  // happy-dom has the element, but not `showModal`.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  ready.mockReset();
  changed.mockReset();
  document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
});

async function checkout(
  answers: Record<string, unknown>,
): Promise<{ calls: FakeCall[]; user: ReturnType<typeof userEvent.setup> }> {
  const calls = fakeApi(answers);
  const stripe = createSandboxStripe({ apiBase: '/sandbox/stripe', publishableKey: 'pk_test_1' });
  render(
    <StrictMode>
      <Elements stripe={stripe} options={{ clientSecret: SECRET, appearance: { theme: 'night' } }}>
        <Pay onReady={ready} onChange={changed} />
      </Elements>
    </StrictMode>,
  );
  await waitFor(() => expect(ready).toHaveBeenCalled());
  return { calls, user: userEvent.setup() };
}

async function typeCard(user: ReturnType<typeof userEvent.setup>, number = '4242424242424242') {
  await user.type(screen.getByLabelText('Card number'), number);
  await user.type(screen.getByLabelText('Expiration date'), '1240');
  await user.type(screen.getByLabelText('Security code'), '123');
}

test('mounts labeled fields for phone keyboards and autofill', async () => {
  await checkout({});
  const number = screen.getByLabelText('Card number');
  expect(number).toHaveProperty('autocomplete', 'cc-number');
  expect(number.getAttribute('inputmode')).toBe('numeric');
  expect(screen.getAllByLabelText('Card number')).toHaveLength(1);
  expect(screen.getByLabelText('Country')).toHaveProperty('value', 'US');
});

test('groups the number, shows the brand, inserts the slash', async () => {
  const { user } = await checkout({});
  await typeCard(user);
  expect(screen.getByLabelText('Card number')).toHaveProperty('value', '4242 4242 4242 4242');
  expect(screen.getByLabelText('Expiration date')).toHaveProperty('value', '12 / 40');
  expect(screen.getByText('Visa')).toBeDefined();
  expect(changed).toHaveBeenLastCalledWith(
    expect.objectContaining({ elementType: 'payment', complete: true, empty: false }),
  );
});

test('calls the API as Stripe.js does and resolves with the paid intent', async () => {
  const { calls, user } = await checkout({ [CONFIRM]: intent('succeeded') });
  await typeCard(user);
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await screen.findByText('paid: succeeded');
  const sent = Object.fromEntries(calls[0]?.body as URLSearchParams);
  expect(sent).toMatchObject({
    key: 'pk_test_1',
    client_secret: SECRET,
    return_url: 'http://localhost:3000/done',
    use_stripe_sdk: 'true',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
    'payment_method_data[billing_details][address][country]': 'US',
    'payment_method_data[billing_details][email]': 'ann@example.test',
  });
});

test('an invalid field gets a message and the focus, and nothing is sent', async () => {
  const { calls, user } = await checkout({});
  await user.type(screen.getByLabelText('Card number'), '4242424242424241');
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await screen.findByText('validation_error: Your card number is invalid.');
  const number = screen.getByLabelText('Card number');
  expect(number.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(number.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Your card number is invalid.',
  );
  expect(document.activeElement).toBe(number);
  expect(screen.getByText("Your card's security code is incomplete.")).toBeDefined();
  expect(calls).toHaveLength(0);
});

test("shows Stripe's message for a declined card and accepts another card", async () => {
  const { user } = await checkout({ [CONFIRM]: answer(402, { error: refused }) });
  await typeCard(user, '4000000000009995');
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await screen.findByText('card_error: Your card has insufficient funds.');
  expect(screen.getByLabelText('Card number')).toHaveProperty('readOnly', false);
});

test('shows a wrong security code at its field', async () => {
  const message = "Your card's security code is incorrect.";
  const { user } = await checkout({
    [CONFIRM]: answer(402, { error: { ...refused, code: 'incorrect_cvc', message } }),
  });
  await typeCard(user, '4000000000000127');
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await waitFor(() => expect(screen.getByLabelText('Security code').getAttribute('aria-invalid')).toBe('true'));
});

const cutOff = () => {
  throw new TypeError('fetch failed');
};

test('reports a connection error without a network', async () => {
  const { calls, user } = await checkout({ [CONFIRM]: cutOff });
  await typeCard(user);
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await screen.findByText(/^api_connection_error: We could not reach/);
  expect(calls.length).toBeGreaterThan(1);
});

test.each([
  ['before the response', cutOff],
  ['during the response', () => new Response('{"id": "pi_')],
])('a payment request interrupted %s is retried with the same key', async (_, cut) => {
  let tries = 0;
  const { calls, user } = await checkout({ [CONFIRM]: () => (++tries === 1 ? cut() : intent('succeeded')) });
  await typeCard(user);
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await screen.findByText('paid: succeeded');
  const keys = calls.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.stringMatching(/.{36}/), keys[0]]);
});

const frame = () =>
  waitFor(
    () =>
      (document.querySelector('dialog iframe') as HTMLIFrameElement | null) ?? Promise.reject(new Error('no dialog')),
  );
const sayFrom = (source: Window | null, data: object, origin = 'http://localhost:3000') =>
  act(() => void window.dispatchEvent(new MessageEvent('message', { data, origin, source })));

test('a challenge opens, and its result resolves with the intent’s state', async () => {
  const { user } = await checkout({ [CONFIRM]: waiting, [RETRIEVE]: intent('succeeded') });
  await typeCard(user, '4000002500003155');
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  const iframe = await frame();
  // happy-dom does not load pages into frames, so the test uses its own window.
  Object.defineProperty(iframe, 'contentWindow', { value: window });
  expect(iframe.src).toContain('/sandbox/stripe/3ds/src_1');
  sayFrom(iframe.contentWindow, { type: 'sbx-3ds', source: 'src_1', outcome: 'succeeded' }, 'https://evil.test');
  sayFrom(null, { type: 'sbx-3ds', source: 'src_1', outcome: 'succeeded' });
  expect(document.querySelector('dialog')).not.toBeNull();
  sayFrom(iframe.contentWindow, { type: 'sbx-3ds', source: 'src_1', outcome: 'succeeded' });
  await screen.findByText('paid: succeeded');
  expect(document.querySelector('dialog')).toBeNull();
});

test('Escape counts as a failed authentication', async () => {
  const failure = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  };
  const { calls, user } = await checkout({
    [CONFIRM]: waiting,
    'POST /sandbox/stripe/v1/payment_intents/pi_1/source_cancel': intent('requires_payment_method', {
      last_payment_error: failure,
    }),
  });
  await typeCard(user, '4000002500003155');
  await user.click(screen.getByRole('button', { name: 'Pay' }));
  await frame();
  act(() => void document.querySelector('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true })));
  await screen.findByText(/^invalid_request_error: We are unable to authenticate/);
  expect((calls.at(-1)?.body as URLSearchParams).get('source')).toBe('src_1');
});

test('unmounting removes the card form', async () => {
  fakeApi({});
  const stripe = createSandboxStripe({ apiBase: '/sandbox/stripe', publishableKey: 'pk_test_1' });
  const { unmount } = render(
    <Elements stripe={stripe} options={{ clientSecret: SECRET }}>
      <Pay onReady={ready} onChange={changed} />
    </Elements>,
  );
  const number = screen.getByLabelText('Card number') as HTMLInputElement;
  await userEvent.setup().type(number, '4242');
  unmount();
  expect(number.value).toBe('');
});
