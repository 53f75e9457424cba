import { globSync, readFileSync } from 'node:fs';
import { join, normalize, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { MAIL_SERVICES } from '@beltway/kit/mail/samples';

const root = join(import.meta.dirname, '..');
const sources = globSync('services/*/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/generated/'))
  .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8') }));
const withCode = (text: string) => sources.filter(({ code }) => code.includes(text));
const serviceOf = ({ path }: { path: string }): string => path.split('/')[1]!;

/** The exported functions of a file that compose a mail. */
const composersIn = (code: string): string[] =>
  [...code.matchAll(/^export (?:async )?(?:function|const) (\w+)((?!^export)[^])*?\): (?:Promise<)?Mail\b/gm)].map(
    ([, name]) => name!,
  );
/** The names that a file imports from each other file of its service. */
const importsIn = (path: string, code: string): Array<[file: string, names: string[]]> =>
  [...code.matchAll(/^import \{([^}]*)\} from '(\.[^']*)'/gm)].map(([, names, from]) => [
    normalize(join(dirname(path), from!)),
    names!.split(',').map((name) => name.trim()),
  ]);

test('/dev/mail has samples of exactly the services that send mails', () => {
  expect(withCode('serviceMail({').map(serviceOf).toSorted()).toEqual([...MAIL_SERVICES]);
  expect(withCode('openMailer(').map(({ path }) => path)).toEqual([]);
});

test('every function that composes a mail is among the samples of its service', () => {
  const composed = withCode("from '@beltway/kit/mail/layout'").flatMap(({ path, code }) =>
    composersIn(code).map((name) => `${path}: ${name}`),
  );
  const sampled = withCode('MailSamples').flatMap(({ path, code }) =>
    importsIn(path, code).flatMap(([file, names]) => names.map((name) => `${file}: ${name}`)),
  );
  expect(new Set(composed.map((name) => name.split('/')[1]))).toEqual(new Set(MAIL_SERVICES));
  expect(composed.filter((name) => !sampled.includes(name))).toEqual([]);
});
