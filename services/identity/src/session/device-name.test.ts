import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

const like = (rest: string) => `Mozilla/5.0 ${rest}`;

test.each([
  ['Firefox on Windows', like('(Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0')],
  [
    'Edge on Windows',
    like('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Safari/537.36 Edg/138.0'),
  ],
  ['Safari on iPhone', like('(iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1 Version/18.5 Safari/604.1')],
  ['Chrome on Android', like('(Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36')],
  ['Safari on Mac', like('(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.5 Safari/605.1')],
  ['Another program', 'curl/8.9'],
  ['Another program', undefined],
])('%s', (name, userAgent) => expect(deviceName(userAgent)).toBe(name));

test('shows only names from a fixed list, never text from the header', () => {
  expect(deviceName('<script>alert(1)</script> Firefox/1 Windows')).toBe('Firefox on Windows');
  expect(deviceName(`${'x'.repeat(100_000)} Firefox/1`)).toBe('Another program');
});
