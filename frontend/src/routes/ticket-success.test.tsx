import type { Order } from '@beltway/contracts/ticketing';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi, problem } from '../testing/fake-api.ts';
import { renderAt } from '../testing/render.tsx';

const orderId = '0d4f5a54-7f6c-4b45-9a3f-5a8c2f5f6f01';
const order = (status: Order['status']): Order => ({
  orderId,
  status,
  quantity: 2,
  priceCents: 2500,
  amount: 5000,
  holdUntil: null,
  extendable: false,
  ticketHolderName: 'Gail Guest',
  ticketHolderEmail: 'gail@example.test',
  createdAt: '2030-07-01T12:00:00.000Z',
  event: {
    id: 7,
    title: 'Go-Go Night',
    location: 'Shaw, Washington, DC',
    imageUrl: null,
    eventDate: '2030-07-12T04:00:00.000Z',
    eventStartTime: '19:00',
    eventEndTime: null,
    status: 'published',
  },
  tickets: [],
});
const path = `/api/orders/${orderId}`;
const show = (query = '') => renderAt(`/ticket-success?orderId=${orderId}${query}`);
const away = () => problem(503, 'unavailable', { detail: 'A part of Beltway does not answer right now.' });

test('goes on by itself when the server was away, before the order was seen and while its tickets are made', async () => {
  const answers = [away, () => order('processing'), away, () => order('fulfilled')];
  fakeApi({ [`GET ${path}`]: () => (answers.shift() ?? (() => order('fulfilled')))() });
  show();
  expect(await screen.findByText(/does not answer right now\. This page keeps asking/)).toBeTruthy();
  expect(await screen.findByText('Making your tickets…')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Your 2 tickets are here' })).toBeTruthy();
});

test('takes the secret out of the address, and shows it to the server alone', async () => {
  const calls = fakeApi({ [`GET ${path}`]: order('fulfilled') });
  show('&key=s3cret');
  await screen.findByRole('heading', { name: 'Your 2 tickets are here' });
  expect(calls.find((call) => call.path === path)?.headers.get('x-order-key')).toBe('s3cret');
  expect(screen.getByTestId('address').textContent).not.toContain('s3cret');
});

test('an order of somebody else does not exist', async () => {
  const calls = fakeApi({});
  show();
  expect(await screen.findByText('Order Not Found')).toBeTruthy();
  expect(calls.filter((call) => call.path === path)).toHaveLength(1);
});
