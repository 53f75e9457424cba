import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { runInNewContext } from 'node:vm';
import { AD_PACKAGES } from '@beltway/contracts/payments/ads';
import { AuditKind } from '@beltway/contracts/identity/audit';
import { BADGES } from '@beltway/contracts/identity/badges';
import { CATEGORY_NAMES } from '@beltway/contracts/catalog/categories';
import { QuestionCategory } from '@beltway/contracts/realtime/community';
import { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';
import { NotificationKind } from '@beltway/contracts/realtime/notifications';
import { TICKET_STATUSES } from '@beltway/contracts/ticketing/ticket-status';
import compile from 'icu-minify/compile';
import { expect, test } from 'vitest';
import { PROBLEM_TEXTS, type ProblemText } from '@beltway/contracts/problems/texts';
import { texts as badges } from '../frontend/src/features/points/badges.names.es.ts';
import { texts as packages } from '../frontend/src/lib/ads/packages.names.es.ts';
import { texts as spanish } from '../frontend/src/lib/i18n/problem-texts.es.ts';
import { EventForm } from '../frontend/src/lib/event-form/event-form.ts';
import { AVOIDED, NAMES, SPECIFIED, TITLE_CASE } from './screen-words.ts';

// All catalogs of the page must have the same texts in all languages, with the same arguments, and no unused text.
const source = join(import.meta.dirname, '../frontend/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const english = files.filter((file) => /(^|[/.])texts\.en\.ts$/.test(file.replaceAll('\\', '/')));

const codeOf = (file: string): string => readFileSync(join(source, file), 'utf8');
/** The one object of a catalog's file, evaluated to its literal strings. */
const read = (file: string): Record<string, string> =>
  runInNewContext(`(${/= (\{\n[\s\S]*?\n\})/.exec(codeOf(file))![1]})`) as Record<string, string>;

type Node = string | number | [name: string, ...rest: unknown[]];

/**
 * `count plural`, `link tag`, `name`: the arguments of a text, sorted. Plural cases are not compared, because they
 * depend on the language.
 */
function argumentsOf(text: string): string[] {
  const found = new Set<string>();
  const walk = (node: Node): void => {
    if (!Array.isArray(node)) return;
    const [name, kind, ...rest] = node;
    if (kind === undefined) found.add(name);
    else if (kind === 1 || kind === 2) {
      found.add(`${name} ${kind === 1 ? 'select' : 'plural'}`);
      for (const one of Object.values(rest[0] as Record<string, Node | Node[]>)) all(one);
    } else if (typeof kind === 'number') found.add(`${name} ${kind}`);
    else {
      found.add(`${name} tag`);
      all([kind, ...rest] as Node[]);
    }
  };
  // Visits a list of nodes. A single node is a text, a number, or a list that begins with a name.
  const all = (nodes: Node | Node[]): void => {
    if (!Array.isArray(nodes)) return;
    nodes.forEach((node) => walk(node as Node));
  };
  all(compile(text) as Node[]);
  return [...found].sort();
}

test('each catalog loads its own Spanish texts', () => {
  expect(english.length).toBeGreaterThan(1);
  for (const file of english)
    expect(codeOf(file), file).toContain(`{ es: () => import('./${basename(file).replace('.en.', '.es.')}') }`);
});

test.each(english)('%s has the same texts in Spanish, with the same arguments', (file) => {
  const [one, other] = [read(file), read(file.replace('.en.ts', '.es.ts'))];
  expect(Object.keys(other)).toEqual(Object.keys(one));
  for (const [key, text] of Object.entries(one)) {
    expect(argumentsOf(other[key]!), key).toEqual(argumentsOf(text));
    expect(other[key]!.trim() === '' && text.trim() !== '', key).toBe(false);
  }
});

test.each(english.filter((file) => file.includes('policies')))('%s has the same numbers in Spanish', (file) => {
  const [one, other] = [read(file), read(file.replace('.en.ts', '.es.ts'))];
  const numbersOf = (text: string) => (text.match(/\d+(\.\d+)?%?/g) ?? []).sort();
  for (const [key, text] of Object.entries(one)) expect(numbersOf(other[key]!), key).toEqual(numbersOf(text));
});

/** Numbers that the specification fixes, or that belong to a format and not to a limit. */
const FIXED_NUMBERS: readonly ProblemText[] = [
  ...(['price-missing', 'invalid.price', 'invalid.price-least', 'invalid.password-short', 'invalid.quantity'] as const),
  ...(['invalid.picture-large', 'image-too-large', 'image-too-large.photo', 'video-too-large'] as const),
  ...(['image-too-many-pixels', 'not-yet', 'invalid.key', 'invalid.base64url', 'invalid.stream-address'] as const),
  ...(['invalid.push-secret', 'invalid.push-key', 'invalid.push-point', 'invalid.one-or-nothing'] as const),
];

test("a limit in a problem's text is a param", () => {
  for (const [key, text] of Object.entries(PROBLEM_TEXTS)) {
    // Examples ('such as 19:00') and the smallest count are not limits that change.
    const limits = text.replace(/,? (such )?as \S.*$/, '').replace(/\b[01] to \{/, '{');
    if (!FIXED_NUMBERS.includes(key as ProblemText)) expect(limits, key).not.toMatch(/\d/);
  }
});

test('arguments of different kinds are distinguished', () => {
  expect(argumentsOf('{count, plural, one {# of {name}} other {<b>all</b>}} {when}')).toEqual([
    'b tag',
    'count plural',
    'name',
    'when',
  ]);
  expect(argumentsOf('plain')).toEqual([]);
});

/** The files that import a catalog, with their code. */
const usersOf = (catalog: string) =>
  files
    .filter((file) => !/\.test\.tsx?$|texts\.[a-z]{2}\.ts$/.test(file))
    .map((file) => ({ file, code: codeOf(file) }))
    .filter(({ file, code }) =>
      [...code.matchAll(/from '(\.[^']*texts\.en\.ts)'/g)].some(
        ([, path]) => relative(source, join(source, dirname(file), path!)) === catalog,
      ),
    );

/** All statuses of a ticket. */
const TICKETS = [...TICKET_STATUSES, 'unknown'];

/** Texts whose key is the value of a type: a category, a step, a state, a field. */
const BY_NAME: Record<string, readonly string[]> = {
  'lib/i18n/texts.en.ts': CATEGORY_NAMES,
  'features/ops/texts.en.ts': [...AuditKind.options, 'user', 'business', 'admin'],
  'features/customers/texts.en.ts': ['refunding', 'refunded', 'disputed'],
  'features/revenue/texts.en.ts': ['days7', 'days30', 'days90', 'days366', 'featured', 'premium', 'livestream'],
  'features/dashboard/texts.en.ts': [...['featuredPlace', 'premiumPlace'], ...TICKETS],
  'features/payouts/texts.en.ts': [
    ...['none', 'onboarding', 'review', 'restricted', 'rejected', 'ready'].flatMap((state) => [state, `${state}Why`]),
    ...['transfer', 'reversal', 'payout', 'pending', 'paid', 'failed'],
  ],
  'lib/managed-order/texts.en.ts': [...TICKETS, 'requested', 'failed'],
  'features/disputes/texts.en.ts': ['dispute-opened', 'dispute-lost', 'dispute-won-after-loss'],
  'features/events/views.texts.en.ts': ['unreachable', 'broken'],
  'features/launch/texts.en.ts': [
    ...['title', 'description', 'eventDate', 'eventStartTime', 'location', 'tags', 'contactEmail'].flatMap((field) => [
      field,
      `${field}Missing`,
    ]),
  ],
  'features/auth/texts.en.ts': ['tooShort', 'weak', 'fair', 'good', 'strong'],
  'features/notifications/texts.en.ts': NotificationKind.options,
  'features/moderation/texts.en.ts': [
    ...[...ContentKind.options, ...ReportReason.options, 'shown', 'hidden', 'removed'],
    ...CaseAction.options.flatMap((action) => [action, `${action}Done`]),
  ],
  'features/moderation/queue.texts.en.ts': ['open', 'appealed', 'acted'].flatMap((state) => [
    `${state}None`,
    `${state}NoneWhy`,
  ]),
  'features/thread/questions.texts.en.ts': QuestionCategory.options,
  'features/checkout/texts.en.ts': ['details', 'payment', 'over'],
  'features/gallery/texts.en.ts': ['spam', 'abuse', 'privacy', 'other'],
  'features/ads/texts.en.ts': ['bought', 'waiting', 'rejected', 'running', 'ended'],
  'features/live/studio/texts.en.ts': [
    ...['scheduled', 'live', 'ended', 'canceled', 'rtmp', 'whip', 'outside', 'clip'],
    ...['refusedFault', 'noneFault', 'busyFault', 'insecureFault', 'codecsFault', 'unreachableFault', 'goneFault'],
  ],
  'features/points/texts.en.ts': ['common', 'rare', 'epic', 'legendary'],
  'features/tickets/texts.en.ts': ['requested', 'refunded', 'failed'],
  'features/top-picks/texts.en.ts': ['event', 'venue', 'highlight', 'announcement'],
  'features/top-picks/player.texts.en.ts': ['spam', 'abuse', 'rights', 'privacy', 'other'],
  'lib/journey/texts.en.ts': ['red', 'orange', 'silver', 'blue', 'yellow', 'green'],
  'lib/event-form/names.texts.en.ts': Object.keys(EventForm.shape),
};

test.each(english)('%s has no unused text', (file) => {
  const code = usersOf(file).map((user) => user.code);
  const named = BY_NAME[file] ?? [];
  const unused = Object.keys(read(file)).filter(
    (key) => !named.includes(key) && !code.some((one) => one.includes(`'${key}'`)),
  );
  expect(unused).toEqual([]);
});

const problemTexts = Object.entries(PROBLEM_TEXTS) as Array<[ProblemText, string]>;

test('every text of a problem has a Spanish text with the same values', () => {
  expect(problemTexts.length).toBeGreaterThan(500);
  expect(Object.keys(spanish).sort()).toEqual(Object.keys(PROBLEM_TEXTS).sort());
  for (const [key, text] of problemTexts) {
    expect(argumentsOf(spanish[key]), key).toEqual(argumentsOf(text));
    expect(spanish[key].trim(), key).not.toBe('');
  }
});

test('the text of a problem is in exactly one file of the table, under the problem’s code', async () => {
  const folder = join(import.meta.dirname, '../packages/contracts/src/problems');
  const keys = readdirSync(folder)
    .filter((file) => file.endsWith('.texts.en.ts'))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}'?([\w.-]+)'?:/gm)].map(([, key]) => key!),
    );
  expect(keys).toHaveLength(problemTexts.length);
  expect(new Set(keys)).toEqual(new Set(Object.keys(PROBLEM_TEXTS)));
  for (const key of keys) expect(key).toMatch(/^[a-z]+(-[a-zA-Z]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)?$/);
});

test('services throw only texts of the table, and contain no other sentences', () => {
  const root = join(import.meta.dirname, '..');
  const sources = ['services', 'packages/kit/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|node_modules|[/\\]test[/\\]|testing/.test(file))
      .map((file) => join(root, folder, file)),
  );
  const thrown =
    /\b(?:HttpProblem(?:<\w+>)?\(\s*\d+,|Rejected\(|notFound\(|forbidden\(|unavailable\(|arriving\(|unauthenticated\(|badField\([^,()]+,)\s*(['`])((?:(?!\1).)*)\1/g;
  const found = sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(thrown)].map(([, , text]) => text!));
  expect(found.length).toBeGreaterThan(300);
  expect(found.filter((text) => /\s/.test(text))).toEqual([]);
});

test.each(BADGES)('the badge $id has its name and requirement in Spanish', ({ id }) => {
  expect(Object.keys(badges)).toEqual(expect.arrayContaining([id, `${id}-why`]));
});

test.each(AD_PACKAGES)('the package $id has all its texts in Spanish', ({ id, features, badge }) => {
  const wanted = [id, `${id}-time`, ...features, ...(badge === null ? [] : [`${id}-badge`])];
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(wanted));
});

/** All English texts of the page and of problems, by catalog and key, without values and tags. */
const onScreen = [
  ...english.map((file) => [file.replaceAll('\\', '/').replace('.en.ts', ''), read(file)] as const),
  ['problems', PROBLEM_TEXTS] as const,
].flatMap(([catalog, texts]) =>
  Object.entries(texts).map(([key, text]) => ({ catalog, key, text: text.replace(/<\/?\w+>|\{\w+\}/g, '') })),
);

test('texts on screen are in plain American English', () => {
  const found = onScreen
    .filter(({ catalog, key }) => !SPECIFIED[catalog]?.includes(key))
    .flatMap(({ catalog, key, text }) => {
      const rule = AVOIDED.find(([words]) => words.test(text));
      return rule ? [`${catalog} ${key}: ${text} (${rule[1]})`] : [];
    });
  expect(found).toEqual([]);
});

/** English texts that services send: notifications, emails, an order's history, heads of pages. */
const SENT = [
  'identity/src/account/mail-texts.en.ts',
  'ticketing/src/words/english.ts',
  'ticketing/src/order/step-texts.en.ts',
  'payments/src/ads/words/english.ts',
  'payments/src/ads/mail.ts',
  'payments/src/history/step-texts.en.ts',
  'realtime/src/notifications/texts.en.ts',
  'gateway/src/page/head-words.ts',
];

test.each(SENT)('texts in services/%s are in plain American English', (file) => {
  const code = readFileSync(join(import.meta.dirname, '../services', file), 'utf8').replace(
    /^import .*|^\s*(\/\*\*|\*|\/\/).*/gm,
    '',
  );
  const said = [...code.matchAll(/'([^'\n]*)'|`([^`\n]*)`/g)].map(([, plain, filled]) => plain ?? filled!);
  expect(said.length).toBeGreaterThan(5);
  const found = said.flatMap((text) => {
    const rule = AVOIDED.find(([words]) => words.test(text.replace(/\$\{\w+\}/g, '')));
    return rule ? [`${text} (${rule[1]})`] : [];
  });
  expect(found).toEqual([]);
});

test('texts on screen are in sentence case', () => {
  const found = onScreen
    .filter(({ catalog, key }) => !SPECIFIED[catalog]?.includes(key))
    .filter(({ text }) => TITLE_CASE.test(text.replace(NAMES, 'x').replace(/^[\s:-]+|[\s.!:-]+$/g, '')))
    .map(({ catalog, key, text }) => `${catalog} ${key}: ${text}`);
  expect(found).toEqual([]);
});

test('exempt texts exist', () => {
  const keys = new Set(onScreen.map(({ catalog, key }) => `${catalog} ${key}`));
  const exempt = Object.entries(SPECIFIED).flatMap(([catalog, all]) => all.map((key) => `${catalog} ${key}`));
  expect(exempt.filter((one) => !keys.has(one))).toEqual([]);
});
