import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const eslint = new ESLint({ cwd: root });
const HOME = 'frontend/src/features/home/new.tsx';

async function found(text: string, file = HOME): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) });
  return result!.messages.map(({ ruleId }) => ruleId ?? '').filter((rule) => /formatjs|no-sentence/.test(rule));
}

test.each([
  '<p>Hello</p>',
  '<p title="Hello" />',
  '<Dialog title="Hello" />',
  '<p>{isOpen ? "Hello" : null}</p>',
  '<p>{isOpen && `Hello ${name}`}</p>',
  '<IconButton label={`Close ${name}`} />',
])('a text in translated JSX is refused: %s', async (jsx) =>
  expect(await found(`export const A = () => ${jsx};`)).toContain('formatjs/no-literal-string-in-jsx'),
);

test.each(['toast({ title: "Not sent yet" })', 'usePageTitle(`Sales in ${name}`)', 'const why = "It is over."'])(
  'a displayed sentence outside of JSX is refused: %s',
  async (code) => expect(await found(`${code};`)).toEqual(['beltway/no-sentence']),
);

test.each([
  'throw new Error("The page has no root")',
  'console.error("The map could not be shown", cause)',
  'const path = `/api/events.${kind}`',
  'const A = () => <p className="Flex grid" aria-hidden>{t("hello")}</p>',
  'import { a } from "./A b.ts"',
])('code that is not displayed is allowed: %s', async (code) => expect(await found(`${code};`)).toEqual([]));

test('exceptions, tests and catalogs may contain texts, but a new folder may not', async () => {
  const jsx = 'export const A = () => <p>Hello there.</p>;';
  expect(await found(jsx, 'frontend/src/features/new/new.tsx')).toContain('formatjs/no-literal-string-in-jsx');
  expect(await found(jsx, 'frontend/src/testing/new.tsx')).toEqual([]);
  expect(await found(jsx, 'frontend/src/features/home/new.test.tsx')).toEqual([]);
  expect(
    await found('export const texts = { hello: "Hello there." };', 'frontend/src/features/home/texts.en.ts'),
  ).toEqual([]);
});
