import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paymentMemory } from '../../features/promotion/payment-memory.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { broadcastFixture } from '../../testing/fake-stream.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { CLIENT_SECRET, CONFIRM_CARD, configFixture, intentOf, PAYMENT_ID, typeCard } from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));

const CREATE = 'POST /api/create-promotion-payment';
const CONFIRM = 'POST /api/confirm-promotion-payment';
const SLOT = { userId: 3, eventId: 7, level: 'livestream' } as const;
/** The event's hours, 7 PM to 11:30 PM on July 12, 2030. */
const CONFIG = {
  ...{ startTime: '2030-07-12T23:00:00.000Z', endTime: '2030-07-13T03:30:00.000Z' },
  ...{ maxViewers: 500, chatEnabled: true, recordingEnabled: true },
};
const paid = { status: 'paid', eventId: 7, promotionLevel: 'livestream', livestreamConfig: CONFIG };
const around = () => ({
  'GET /api/config': configFixture(),
  'GET /api/events/7': eventFixture(),
  'GET /api/events': fakeEvents([]),
  'GET /api/events/featured': [],
  [CREATE]: { clientSecret: CLIENT_SECRET, amount: 9_999 },
});

fakeClock();
let user: UserEvent;
beforeEach(() => {
  user = userEvent.setup({ delay: null });
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.unstubAllGlobals());

const open = (answers: Record<string, unknown> = {}, path = '/livestream-checkout?eventId=7') => {
  const calls = fakeApi({ ...around(), ...answers });
  renderAt(path);
  return { calls, to: (name: string) => calls.filter((call) => `${call.method} ${call.path}` === name) };
};
const address = () => screen.getByTestId('address').textContent;
const save = () => screen.findByRole('button', { name: 'Save setup' });
const startButton = () => screen.findByRole('button', { name: 'Start Livestream Event - $99.99' });
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  if (text) await user.type(field, text);
};
const summary = () => within(screen.getByRole('complementary', { name: 'Order summary' }));
async function pay() {
  await typeCard(user);
  await user.click(await startButton());
}

describe('before it is configured', () => {
  test('payment is disabled, and the page shows what is missing', async () => {
    const { to } = open();
    const button = await screen.findByRole('button', { name: 'Configure Livestream First' });
    expect(button).toHaveProperty('disabled', true);
    const why = 'Livestream Configuration Required: Please configure your livestream settings before proceeding.';
    expect(screen.getByText(why).id).toBe(button.getAttribute('aria-describedby'));
    expect(summary().getByText('Not set up yet')).toBeTruthy();
    expect(to(CREATE)).toEqual([]);
  });
  test('a signed-out visitor signs in first and returns', async () => {
    sessionStore.clear();
    open();
    await waitFor(() => expect(address()).toBe('/auth?next=%2Flivestream-checkout%3FeventId%3D7'));
    expect(await screen.findByText('Sign in to stream your event live.')).toBeTruthy();
  });
  test('without an event the organizer chooses one', async () => {
    open({ 'GET /api/users/3/events': [eventFixture()] }, '/livestream-checkout');
    await user.click(await screen.findByRole('link', { name: /Go-Go on the Roof/ }));
    expect(address()).toBe('/livestream-checkout?eventId=7');
  });
  test.for([
    ['somebody else’s', { userId: 4 }, 'Only the organizer can promote an event.'],
    ['canceled', { status: 'canceled' }, 'Go-Go on the Roof was canceled.'],
    ['over', { eventDate: '2020-07-12T04:00:00.000Z' }, 'Go-Go on the Roof is over.'],
    ['streamed now', { isLivestream: true, livestreamStatus: 'live' }, 'Go-Go on the Roof already has a live stream.'],
  ] as const)('an event that is %s is refused', async ([, changes, words]) => {
    const { to } = open({ 'GET /api/events/7': eventFixture(changes) });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save setup' })).toBeNull();
    expect(to(CREATE)).toEqual([]);
  });
  test('the owner can change a paid stream before it starts', async () => {
    const event = eventFixture({ isLivestream: true, livestreamStatus: 'scheduled' });
    const PUT = 'PUT /api/events/7/livestream';
    let tries = 0;
    const wrong = { field: 'startTime', message: 'This start time has passed. Choose a later one.' };
    const { to } = open({
      'GET /api/events/7': event,
      'GET /api/broadcasts/7': broadcastFixture({ eventId: 7, ...CONFIG, maxViewers: 321 }),
      [PUT]: () => (++tries === 1 ? problem(422, 'livestream-startTime', { errors: [wrong] }) : event),
    });
    expect(await screen.findByLabelText('Maximum viewers')).toHaveProperty('value', '321');
    await type('Maximum viewers', '40');
    await user.click(await save());
    expect((await screen.findAllByText(wrong.message)).length).toBeGreaterThan(0);
    await user.click(await save());
    expect(await screen.findByText('Live stream updated')).toBeTruthy();
    expect(to(PUT).map(({ body }) => body)).toEqual([1, 2].map(() => ({ ...CONFIG, maxViewers: 40 })));
    expect(to(CREATE)).toEqual([]);
  });
  test.for(['abc', '0', '1e3', '99999999999'])(
    'a URL that contains no valid event id requests nothing: %s',
    async (id) => {
      const { calls } = open({}, `/livestream-checkout?eventId=${id}`);
      expect(await screen.findByRole('heading', { level: 1, name: 'Event Not Found' })).toBeTruthy();
      expect(calls.filter(({ path }) => /^\/api\/(events\/|create)/.test(path))).toEqual([]);
    },
  );
  test.for([
    ['Ends', '2030-07-12T18:00', 'The live stream must end after it starts'],
    ['Ends', '2030-07-13T08:00', 'A live stream can last up to 12 hours'],
    ['Starts', '2020-07-12T19:00', 'This start time has passed. Choose a later one.'],
    ['Starts', '', 'Choose when the live stream starts'],
    ['Maximum viewers', '0', 'Enter a whole number of viewers from 1 to 10,000'],
    ['Maximum viewers', '10001', 'Enter a whole number of viewers from 1 to 10,000'],
    ['Maximum viewers', '1e3', 'Enter a whole number of viewers from 1 to 10,000'],
  ] as const)('%s: %s is refused at its field', async ([label, text, words]) => {
    const { to } = open();
    await type(label, text);
    if (label === 'Starts' && text.startsWith('2020')) await type('Ends', '2020-07-12T20:00');
    await user.click(await save());
    expect(await screen.findByText(words)).toBeTruthy();
    expect(to(CREATE)).toEqual([]);
  });
  test('a time that the clocks skip or show twice is explained while typing', async () => {
    open();
    await type('Starts', '2031-03-09T02:30');
    expect(screen.getByText('Clocks move forward that night and skip this time, so it becomes 3:30 AM.')).toBeTruthy();
    await type('Ends', '2030-11-03T01:15');
    expect(screen.getByText('Clocks move back that night and show 1:15 AM twice. The first one counts.')).toBeTruthy();
    await type('Starts', '2030-07-12T19:00');
    expect(screen.getByText('New York time')).toBeTruthy();
  });
  test('a stream that misses its event is refused', async () => {
    const { to } = open();
    await type('Starts', '2030-07-14T19:00');
    await type('Ends', '2030-07-14T20:00');
    await user.click(await save());
    expect(await screen.findByText('The live stream must start before the event ends.')).toBeTruthy();
    expect(to(CREATE)).toEqual([]);
  });
  test('the input survives a reload', async () => {
    open();
    await type('Maximum viewers', '77');
    cleanup();
    open();
    expect(await screen.findByLabelText('Maximum viewers')).toHaveProperty('value', '77');
  });
});

describe('once it is configured', () => {
  test('the summary and the payment contain the configuration', async () => {
    const { to } = open();
    await type('Ends', '2030-07-12T21:30');
    await type('Maximum viewers', '1200');
    await user.click(screen.getByRole('switch', { name: 'Recording' }));
    await user.click(await save());
    expect(await startButton()).toBeTruthy();
    for (const words of ['2 hours 30 minutes', '1,200', 'Live chat on', 'No recording', '$99.99', 'One-time payment'])
      expect(summary().getByText(words)).toBeTruthy();
    // A disabled option is not listed as a benefit.
    expect(summary().queryByText('Recording')).toBeNull();
    expect(summary().getByText('Live chat')).toBeTruthy();
    expect(to(CREATE).map(({ body }) => body)).toEqual([
      {
        promotionLevel: 'livestream',
        eventId: 7,
        livestreamConfig: {
          ...CONFIG,
          endTime: '2030-07-13T01:30:00.000Z',
          maxViewers: 1_200,
          recordingEnabled: false,
        },
      },
    ]);
  });
  test('the payment is confirmed by a toast on the home page', async () => {
    const { to } = open({
      [CONFIRM_CARD]: intentOf('succeeded'),
      [CONFIRM]: paid,
    });
    await user.click(await save());
    await pay();
    expect(await screen.findByText('Livestream Event Created!')).toBeTruthy();
    expect(screen.getByText('Your live event is now scheduled and promoted!')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open the studio' }).getAttribute('href')).toBe('/studio/7');
    await waitFor(() => expect(address()).toBe('/'));
    expect(to(CONFIRM).map(({ body }) => body)).toEqual([{ paymentIntentId: PAYMENT_ID }]);
  });
  test('a changed configuration creates a new payment, and the old card form is gone', async () => {
    let made = 0;
    const { to } = open({
      [CREATE]: () => ({ clientSecret: `pi_12345${made}_secret_${made++}`, amount: 9_999 }),
    });
    await user.click(await save());
    await startButton();
    await user.click(screen.getByRole('button', { name: 'Edit setup' }));
    expect(screen.queryByLabelText('Card number')).toBeNull();
    await type('Maximum viewers', '50');
    await user.click(await save());
    await startButton();
    expect(to(CREATE).map(({ body }) => (body as { livestreamConfig: object }).livestreamConfig)).toEqual([
      CONFIG,
      { ...CONFIG, maxViewers: 50 },
    ]);
  });
  test('a server error is shown at its field', async () => {
    const message = 'The live stream must start before the event ends.';
    open({
      [CREATE]: () =>
        problem(422, 'livestream-times', {
          detail: message,
          errors: [{ field: 'livestreamConfig.startTime', message }],
        }),
    });
    await user.click(await save());
    expect(await screen.findByText('Livestream Configuration Required')).toBeTruthy();
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText('Starts').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('button', { name: 'Configure Livestream First' })).toBeTruthy();
  });
  test('a failed request can be retried', async () => {
    let isDown = true;
    open({
      [CREATE]: () => (isDown ? problem(503, 'unavailable') : { clientSecret: CLIENT_SECRET, amount: 9_999 }),
    });
    await user.click(await save());
    expect(await screen.findByText('Failed to initialize livestream checkout. Please try again.')).toBeTruthy();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await startButton()).toBeTruthy();
  });
  test('a reload during a payment first checks whether the payment succeeded', async () => {
    paymentMemory.set(SLOT, PAYMENT_ID);
    const { to } = open({ [CONFIRM]: paid });
    expect(await screen.findByRole('heading', { level: 1, name: 'Livestream Event Created!' })).toBeTruthy();
    expect(to(CREATE)).toEqual([]);
  });
});

test('/checkout leads here for a live stream', async () => {
  open({}, '/checkout?level=livestream&eventId=7');
  await screen.findByRole('button', { name: 'Configure Livestream First' });
  expect(address()).toBe('/livestream-checkout?eventId=7');
});
