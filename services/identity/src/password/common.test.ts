import { expect, test } from 'vitest';
import { isCommon } from './common.ts';

const ann = { email: 'ann.lee@example.test', name: 'Ann Lee' };

test.each([
  '123456',
  'password',
  'Password',
  'QWERTYUIOP',
  'iloveyou',
  'wassup',
  'beltway',
  'beltway1',
  'aaaaaa',
  '121212',
])('refuses %s: it is tried first', (password) => expect(isCommon(password, ann)).toBe(true));

test.each(['ann.lee@example.test', 'Ann.Lee', 'ann lee', 'annlee'])(
  'refuses %s: it is the account itself',
  (password) => expect(isCommon(password, ann)).toBe(true),
);

test.each(['demo-beltway', 'gr33n-line!', 'correct horse battery staple', '# The 3,000 commonest'])(
  'takes %s',
  (password) => expect(isCommon(password, ann)).toBe(false),
);

test.each(['1234512i', 'James321 '])('refuses %s: it is among the 100,000 commonest of breaches', (password) =>
  expect(isCommon(password, ann)).toBe(true),
);

test('of passwords that no list has, less than one in 5,000 is refused', () => {
  const refused = Array.from({ length: 50_000 }, (_, index) => `tidal basin ${index}`).filter((password) =>
    isCommon(password, ann),
  );
  expect(refused.length).toBeLessThan(10);
});
