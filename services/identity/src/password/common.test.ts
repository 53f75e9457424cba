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
])('refuses %s: attackers try it first', (password) => expect(isCommon(password, ann)).toBe(true));

test.each(['ann.lee@example.test', 'Ann.Lee', 'ann lee', 'annlee'])(
  'refuses %s: it is the account’s own name or email address',
  (password) => expect(isCommon(password, ann)).toBe(true),
);

test.each(['demo-beltway', 'gr33n-line!', 'correct horse battery staple', '# The 3,000 commonest'])(
  'accepts %s',
  (password) => expect(isCommon(password, ann)).toBe(false),
);

test.each(['1234512i', 'James321 '])('refuses %s: it is among the 100,000 most common breached ones', (password) =>
  expect(isCommon(password, ann)).toBe(true),
);

test('the filter refuses less than one in 5,000 passwords that are not in the list', () => {
  const refused = Array.from({ length: 50_000 }, (_, index) => `tidal basin ${index}`).filter((password) =>
    isCommon(password, ann),
  );
  expect(refused.length).toBeLessThan(10);
});
