import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('..', import.meta.url));
const sources = globSync('**/*.ts', { cwd: SRC })
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('generated'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(SRC, file), 'utf8') }));

const timesByFile = (pattern: RegExp) =>
  Object.fromEntries(
    sources
      .map(({ file, text }) => [file, text.match(new RegExp(pattern, 'g'))?.length ?? 0] as const)
      .filter(([, times]) => times > 0),
  );

test.each([
  ['signs access tokens', /new SignJWT\b/, ['session/access-tokens.ts']],
  ['gets the function that signs them', /\btokenIssuer\(/, ['app.ts']],
  ['calls it', /\bissue\(/, ['session/door.ts']],
  ['begins sessions', /\brefresh\.start\(/, ['session/door.ts']],
  [
    'writes sessions',
    /\bsession\.(create|upsert)|insert into sessions\b|\bsessions\.insert\(/,
    ['session/refresh-tokens.ts'],
  ],
  [
    'writes refresh tokens',
    /\brefreshToken\.(create|upsert)|insert into refresh_tokens\b|\btokens\.insert\(/,
    ['session/refresh-tokens.ts'],
  ],
  ['sets the refresh cookie', /\bcookie\.set\(/, ['session/door.ts']],
])('one file %s', (_what, pattern, files) => expect(Object.keys(timesByFile(pattern))).toEqual(files));

test('six calls open a session; test/open-session.int.test.ts tries each of them', () =>
  expect(timesByFile(/\bdoor\.open\(/)).toEqual({
    'account/routes.ts': 1,
    'passkey/routes.ts': 1,
    // register, login, login/code, refresh
    'session/routes.ts': 4,
  }));
