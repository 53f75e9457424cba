import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicRoutes } from '../services/gateway/src/routes/table.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Production code: no tests, no generated code, no card sandbox. */
const shipped = globSync('{services,packages}/*/src/**/*.ts', { cwd: root })
  .concat(globSync('frontend/{src,public}/**/*.{ts,tsx,js}', { cwd: root }))
  .filter((path) => !/\.test\.tsx?$|\/testing\b|\/generated\/|card-sandbox|sandbox-stripe|test-engines/.test(path))
  .sort();
const withCode = (pattern: RegExp): string[] => shipped.filter((path) => pattern.test(read(path)));

test('the scans below read the shipped sources', () => {
  expect(shipped.length).toBeGreaterThan(800);
  expect(shipped).toContain('services/identity/src/password/argon.ts');
});

describe('shipped code', () => {
  test('never turns text into code, or into HTML without escaping', () => {
    expect(withCode(/(?<![.\w])eval\(|new Function\(|setTimeout\(\s*['"`]/)).toEqual([]);
    expect(withCode(/dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/)).toEqual([]);
  });

  test('builds regular expressions from constants only', () => {
    expect(withCode(/new RegExp\(/)).toEqual([
      'packages/contracts/src/catalog/description.ts',
      'packages/contracts/src/catalog/search-text.ts',
      'packages/contracts/src/common/reserved-names.ts',
      'packages/contracts/src/identity/moderation.ts',
      'packages/contracts/src/identity/referrals.ts',
      'packages/contracts/src/realtime/notifications.ts',
      'packages/kit/src/bus/said-numbers.ts',
      'services/catalog/src/search/words.ts',
      'services/gateway/src/page/built.ts',
      'services/gateway/src/routes/table.ts',
      'services/media/src/broadcast/segments.ts',
    ]);
  });

  test('starts programs with a list of arguments, never with a shell', () => {
    expect(withCode(/\bshell: true|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/)).toEqual([]);
  });

  test('draws secrets from node:crypto; Math.random only rotates ads and spreads retries', () => {
    expect(withCode(/\bMath\.random\b/).filter((path) => !path.startsWith('frontend/'))).toEqual([
      'packages/kit/src/jobs/queue.ts',
      'services/catalog/src/ads/routes.ts',
    ]);
  });

  test('uses only SHA-2 as digest and AES-256-GCM as cipher', () => {
    const named = (pattern: RegExp) => [
      ...new Set(shipped.flatMap((path) => [...read(path).matchAll(pattern)].map(([, name]) => name))),
    ];
    expect(named(/create(?:Hash|Hmac)\('([^']+)'/g)).toEqual(['sha256']);
    expect(named(/create(?:Cipher|Decipher)iv\(\s*'([^']+)'/g)).toEqual(['aes-256-gcm']);
  });
});

test('no answer allows pages of other sites to read it by CORS', () => {
  expect(withCode(/access-control-allow/i)).toEqual([]);
});

test('passwords can be pasted and stored by a password manager', () => {
  expect(withCode(/onPaste/)).toEqual([]);
  const fields = shipped.flatMap((path) =>
    [...read(path).matchAll(/<TextField\b([^]*?)\/>/g)]
      .map(([, attributes = '']) => attributes)
      .filter((attributes) => /\bbind\('(?:password|newPassword)'\)|<PasswordInput/.test(attributes)),
  );
  expect(fields.length).toBeGreaterThan(5);
  for (const attributes of fields) expect(attributes).toMatch(/autoComplete="(?:current|new)-password"/);
  expect(read('frontend/src/ui/password-input.tsx')).toContain("type={shown ? 'text' : 'password'}");
});

test('a page accepts messages of other windows only from the expected origin', () => {
  const listening = withCode(/addEventListener\('message'/);
  expect(listening.length).toBeGreaterThan(1);
  expect(listening.filter((path) => !/\borigin !== /.test(read(path)))).toEqual([]);
});

test('images contain neither the history of the sources nor secret files', () => {
  const left = read('.dockerignore').split('\n');
  for (const name of ['.git', '.env*', '.data']) expect(left).toContain(name);
});

/** Each route declaration, with the text before its handler. Named checks are replaced by their definitions. */
const declarations = globSync('services/*/src/**/*.ts', { cwd: root })
  .filter((path) => !/\.test\.ts$|\/generated\//.test(path))
  .flatMap((path) => {
    const text = read(path);
    const checks = [
      ...text.matchAll(/^ *const (\w+)(?:: RequestHandler)? = (?=.*(?:role\(|signedIn|\badmin\())(.*)$/gm),
    ];
    const spelled = (before: string) =>
      checks.reduce((all, [, name, check]) => all.replace(new RegExp(`\\b${name}\\b`, 'g'), check!), before);
    return [...text.matchAll(/\b(?:router|app)\.(get|post|put|patch|delete)\(\s*'([^']+)'([^]*?)(?:=>|\);)/g)].map(
      ([, method, route, before]) => ({
        name: `${method} ${route!.replace(/:(\w+)/g, '{$1}')}`,
        before: spelled(before!),
      }),
    );
  });

test('every call that needs a session or a role is declared behind that check', () => {
  const open = publicRoutes
    .filter(({ access }) => access === 'signed in' || access === 'admin')
    .filter(({ method, path, access }) => {
      const found = declarations.filter(({ name }) => name === `${method} ${path}`);
      const check = access === 'admin' ? /\brole\('admin'\)/ : /\bsignedIn\b|\brole\(/;
      return found.length === 0 || found.some(({ before }) => !check.test(before));
    })
    .map(({ method, path, access }) => `${method} ${path}: ${access}`);
  // The exception admits requests without a token only from this machine, in embedded mode:
  // services/gateway/test/ops.int.test.ts.
  expect(open).toEqual(['get /api/ops/invariants: admin']);
});

test('no GET reads a session’s cookie', () => {
  const guarded = declarations.filter(({ before }) => before.includes('cookie.guard'));
  expect(guarded.length).toBeGreaterThan(10);
  expect(guarded.filter(({ name }) => name.startsWith('get '))).toEqual([]);
});

test('the lock file has only packages of the npm registry, each with a digest', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
  };
  const foreign = Object.entries(packages).filter(
    ([path, { resolved = '', integrity = '', link }]) =>
      /(^|\/)node_modules\//.test(path) &&
      !link &&
      !((resolved === '' || resolved.startsWith('https://registry.npmjs.org/')) && integrity.startsWith('sha512-')),
  );
  expect(foreign.map(([path]) => path)).toEqual([]);
});
