import { expect, test } from 'vitest';
import { accountLinks, GOOD_FOR_MS, type LinkKind } from './links.ts';

const OLD = 'the-old-secret-of-this-test-0123456789';
const NEW = 'the-new-secret-of-this-test-0123456789';
const from = new Date('2026-03-07T20:00:00.000Z');
const at = (ms: number) => () => new Date(from.getTime() + ms);
const bound = ['ann@example.test', 'c1'];
const reset = { kind: 'reset-password', userId: 7, from } as const;

test.each(Object.entries(GOOD_FOR_MS))('a link to %s is valid for exactly its lifetime', (kind, ms) => {
  const token = accountLinks(OLD, at(0)).tokenOf({ kind: kind as LinkKind, userId: 7, from }, bound);
  expect(accountLinks(OLD, at(ms - 1_000)).read(token)).toMatchObject({ kind, userId: 7 });
  expect(accountLinks(OLD, at(ms)).read(token)).toBeUndefined();
});

test('a link is valid only while the facts it was made from are unchanged', () => {
  const links = accountLinks(OLD, at(0));
  const token = links.tokenOf(reset, bound);
  const link = links.read(token)!;
  expect(links.isGood(token, link, bound)).toBe(true);
  for (const other of [['bob@example.test', 'c1'], ['ann@example.test', 'c2'], ['ann@example.test'], []])
    expect(links.isGood(token, link, other)).toBe(false);
});

test('kind, account and end of a token cannot be changed', () => {
  const links = accountLinks(OLD, at(0));
  const token = links.tokenOf(reset, bound);
  const [, user, end, digest] = token.split('.');
  const forged = [
    ['v', user, end, digest],
    ['c', user, end, digest],
    ['r', '8', end, digest],
    ['r', user, (parseInt(end!, 36) + 3_600).toString(36), digest],
    ['r', user, end, `A${digest!.slice(1)}`],
  ].map((parts) => parts.join('.'));
  for (const one of forged) {
    const link = links.read(one);
    expect(one === token || (link !== undefined && links.isGood(one, link, bound))).toBe(false);
  }
});

test.each(['', 'r', 'r.7', 'r.7.zz', `x.7.zzzzzz.${'a'.repeat(43)}`, `r.7.zzzzzz.${'a'.repeat(44)}`, '\0', 'r.-1.1.1'])(
  'a text that is not a token is rejected: %j',
  (text) => expect(accountLinks(OLD, at(0)).read(text)).toBeUndefined(),
);

test('links stay valid during a rotation of the secret, and become invalid when the old secret is dropped', () => {
  const token = accountLinks([OLD, NEW], at(0)).tokenOf(reset, bound);
  const isGood = (...secrets: [string, ...string[]]) => {
    const links = accountLinks(secrets, at(0));
    return links.isGood(token, links.read(token)!, bound);
  };
  expect([isGood(NEW, OLD), isGood(NEW)]).toEqual([true, false]);
});
