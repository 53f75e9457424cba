import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { network } from '@beltway/kit/network';
import { chatLimits } from './limits.ts';

const guestAt = (address: string) => ({
  guest: { guestId: randomUUID(), hasKey: true, address, network: network(address) },
});

/** How many of these tries are not refused. */
const passed = async (tries: Array<() => Promise<void>>): Promise<number> =>
  (await Promise.allSettled(tries.map((one) => one()))).filter(({ status }) => status === 'fulfilled').length;

test.each([
  ['write', 80],
  ['react', 240],
] as const)(
  'guests of a /56 of IPv6 %s four times as often as those of one network, from however many',
  async (what, most) => {
    const limits = chatLimits(undefined, false);
    const addresses = Array.from({ length: 100 }, (_, index) => `2001:db8:0:${index.toString(16)}::1`);
    const tries = addresses.flatMap((address) =>
      Array.from({ length: 10 }, () => () => limits[what](guestAt(address))),
    );
    expect(await passed(tries)).toBe(most);
  },
);

test('counts from a long slow mode do not apply to a short slow mode or to another room', async () => {
  const limits = chatLimits(undefined, false);
  const { guest } = guestAt('10.1.2.3');
  const write = (room: string, slowModeSeconds: number) => () => limits.writeAsGuest({ room, slowModeSeconds }, guest);
  expect(await passed(Array.from({ length: 6 }, () => write('7', 600)))).toBe(4);
  expect(await passed([write('7', 5), write('8', 600), write('7', 0)])).toBe(3);
  expect(await passed([write('7', 600)])).toBe(0);
});
