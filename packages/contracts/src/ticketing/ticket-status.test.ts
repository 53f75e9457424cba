import { expect, test } from 'vitest';
import { admits, isOnHold, isVoid, mayComeBack, TICKET_STATUSES } from './ticket-status.ts';

const those = (is: typeof admits) => TICKET_STATUSES.filter(is);

test('only a valid ticket admits its holder', () => expect(those(admits)).toEqual(['valid']));
test('a ticket is void when it was returned, its event was canceled, or a bank took its money', () =>
  expect(those(isVoid)).toEqual(['canceled', 'refunding', 'refunded', 'disputed']));
test('a ticket in a dispute may become valid again', () => {
  expect(those(mayComeBack)).toEqual(['frozen', 'disputed']);
  expect(those(isOnHold)).toEqual(['frozen']);
});
test('each ticket admits, is void, or is on hold', () => {
  for (const status of TICKET_STATUSES)
    expect(
      [admits, isVoid, isOnHold].filter((is) => is(status)),
      status,
    ).toHaveLength(1);
});
test('an unknown status neither admits nor is void nor on hold', () =>
  expect([admits, isVoid, mayComeBack, isOnHold].some((is) => is('unknown'))).toBe(false));
