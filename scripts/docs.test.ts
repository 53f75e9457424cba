import { globSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readKustomization } from './deploy/manifests.ts';
import { serviceVariables } from './deploy/service-variables.ts';

const root = join(import.meta.dirname, '..');
const SKIPPED = new Set(['node_modules', 'dist', 'generated', '.data', '.cache', '.git', 'coverage']);
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: (path) => SKIPPED.has(basename(path)) }).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const SELF = 'scripts/docs.test.ts';
const pages = [...find('*.md'), ...find('{docs,bench,chaos,e2e,frontend,packages,scripts,services,k8s}/**/*.md')];
const folders = '{bench,chaos,e2e,frontend,packages,scripts,services}';
const sources = find(`${folders}/**/*.{ts,tsx,js,mjs,css,sql,http,prisma}`).filter((path) => path !== SELF);
const decisions = find('docs/decisions/*.md');

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors of a document: the anchors that GitHub creates from headings, and explicit anchors. */
const anchors = new Map<string, Set<string>>();
function anchorsOf(page: string): Set<string> {
  const known = anchors.get(page);
  if (known) return known;
  const headings = read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6} (.+)$/gm);
  const slugs = [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const named = [...read(page).matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);
  const found = new Set([...slugs, ...named]);
  anchors.set(page, found);
  return found;
}

/** The reason why a document or its anchor is missing; null if it exists. */
function missing(page: string, anchor: string | undefined): string | null {
  if (!existsSync(join(root, page))) return `${page} does not exist`;
  if (anchor && page.endsWith('.md') && !anchorsOf(page).has(anchor)) return `${page} has no #${anchor}`;
  return null;
}

const problemsIn = (paths: string[], look: (text: string, path: string) => Array<string | null>): string[] =>
  paths.flatMap((path) =>
    look(read(path), path)
      .filter((problem) => problem !== null)
      .map((problem) => `${path}: ${problem}`),
  );

/** Options of `docker compose` whose value is the next word. */
const WITH_VALUE = new Set(['-e', '-u', '-w', '--tail', '--time', '--scale', '--entrypoint', '--timeout']);

/** The services that a `docker compose` command names: the first word of exec and run, all words of others. */
function composeServices(subcommand: string, rest: string): string[] {
  const words: string[] = [];
  const given = rest.trim().split(/\s+/);
  for (let at = 0; at < given.length; at++) {
    if (given[at]!.startsWith('-')) at += WITH_VALUE.has(given[at]!) ? 1 : 0;
    else words.push(given[at]!);
  }
  const named = ['exec', 'run'].includes(subcommand) ? words.slice(0, 1) : words;
  return named.filter((word) => /^[a-z][a-z0-9-]*$/.test(word));
}

/** The things that the commands in a text refer to, such as `script dead-letters` and `compose service ticketing`. */
function namedByCommands(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  const code = [...blocks, ...spans]
    .join('\n')
    .replace(/\s#\s.*$/gm, '')
    .replace(/\\\n/g, ' ');
  const all = (pattern: RegExp, what: string) => [...code.matchAll(pattern)].map(([, name = '']) => `${what} ${name}`);
  const compose = [
    ...code.matchAll(/docker compose (?:--profile \S+ )*(exec|run|restart|logs|stop|up) ?([^|&;\n}]*)/g),
  ];
  return [
    ...all(/\bnpm run (?:--silent )?([\w:-]+)/g, 'script'),
    ...all(/\bnode ((?:scripts|services)\/[\w./-]+)/g, 'file'),
    ...all(/(?:^|[ `(;])((?:scripts)\/[\w/-]+\.(?:ts|mjs))/gm, 'file'),
    ...all(/--profile '?([\w-]+)/g, 'profile'),
    ...compose.flatMap(([, verb = '', rest = '']) =>
      composeServices(verb, rest).map((name) => `compose service ${name}`),
    ),
    ...all(/^(?:.*; do )?(?:metrics|logs|again|inside) ([a-z]+)/gm, 'compose service'),
    ...all(/[ "](?:deploy|deployment)\/([a-z-]+)(?![\w./-])/g, 'Deployment'),
    ...all(/\bstatefulset\/([a-z-]+)/g, 'StatefulSet'),
    ...all(/\bcronjob\/([a-z-]+)/g, 'CronJob'),
    ...all(/\bjob ([a-z]+);/g, 'CronJob'),
    ...all(/ -k (\S+)/g, 'folder'),
  ];
}

describe('documents', () => {
  test('are found', () => {
    expect(pages).toContain('README.md');
    expect(pages).toContain('services/ticketing/README.md');
    expect(sources).toContain('services/ticketing/src/sale/decider.ts');
    expect(decisions.length).toBeGreaterThan(20);
  });

  test('exist if code cites them, with their anchors', () => {
    const cited = (text: string) =>
      [...text.matchAll(/\b((?:docs\/[\w/-]+|services\/[a-z]+\/[A-Z]+|frontend\/[A-Z]+)\.md)(?:#([\w-]+))?/g)].map(
        ([, page = '', anchor]) => missing(page, anchor),
      );
    expect(problemsIn([...sources, ...pages], cited)).toEqual([]);
  });

  test('decisions that are cited by number exist', () => {
    const numbers = new Set(decisions.map((path) => basename(path).slice(0, 4)));
    const cited = (text: string) =>
      [...text.matchAll(/\bdocs\/decisions\/(\d{4})\b|\b[Dd]ecision (\d{1,4})\b/g)]
        .map(([, path, number = '']) => path ?? number.padStart(4, '0'))
        .map((number) => (numbers.has(number) ? null : `there is no decision ${number}`));
    // Migrations are exempt: they must not change, because databases store their checksums.
    const changeable = sources.filter((path) => !path.includes('/migrations/'));
    expect(problemsIn([...changeable, ...pages], cited)).toEqual([]);
    expect(numbers.size).toBe(decisions.length);
  });

  test('have no broken links', () => {
    const links = (text: string, path: string) =>
      [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/i.test(target))
        .map((target) => {
          const [file = '', anchor] = target.split('#');
          return missing(file === '' ? path : normalize(join(dirname(path), file)), anchor);
        });
    expect(problemsIn(pages, links)).toEqual([]);
  });

  test('name only existing files', () => {
    const files = find(`{docs,bench,chaos,e2e,frontend,packages,scripts,services}/**/*.*`).map((path) => `/${path}`);
    const isThere = (path: string) => files.some((file) => file.endsWith(`/${path}`));
    const pathLike = /`(?:\.{1,2}\/)*((?:[\w-]+\/)+[\w.-]+\.(?:tsx?|m?js|sql|css|http|prisma))`/g;
    const named = (text: string) =>
      [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(pathLike)].map(([, path = '']) =>
        isThere(path) || path.includes('/generated/') ? null : `no file ${path}`,
      );
    // The changelog is exempt: files in its older entries may no longer exist.
    const lasting = pages.filter((page) => page !== 'CHANGELOG.md');
    expect(problemsIn(lasting, named)).toEqual([]);
  });

  test('of operations give commands that name existing scripts, files, services, profiles and objects', () => {
    type Services = Record<string, { profiles?: string[] }>;
    const all = ['docker-compose.tls.yml', 'docker-compose.yml'].map(
      (file) => parse(read(file), { merge: true, logLevel: 'silent' }) as { services: Services },
    );
    const services = Object.assign({}, ...all.map((one) => one.services)) as Services;
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const objects = ['dev', 'production'].flatMap(
      (name) => readKustomization(join(root, 'k8s/overlays', name)).objects,
    );
    const known = new Set([
      ...Object.keys(scripts).map((name) => `script ${name}`),
      ...Object.keys(services).map((name) => `compose service ${name}`),
      ...Object.values(services).flatMap(({ profiles = [] }) => profiles.map((name) => `profile ${name}`)),
      ...objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ]);
    const isThere = (named: string) =>
      known.has(named) || (/^(file|folder) /.test(named) && existsSync(join(root, named.split(' ')[1]!)));
    const operations = pages.filter((page) => /^(docs\/operations|k8s)\//.test(page));
    const look = (text: string) =>
      namedByCommands(text).map((named) => (isThere(named) ? null : `there is no ${named}`));
    expect(problemsIn(operations, look)).toEqual([]);

    const runbook = namedByCommands(read('docs/operations/runbook.md'));
    for (const named of [
      ...['script rebuild', 'file scripts/dead-letters.ts', 'file scripts/jobs.ts', 'CronJob audit'],
      ...['compose service identity', 'compose service audit', 'compose service engines'],
    ])
      expect(runbook).toContain(named);
  });

  test('trace a hold from the gateway to its row through at most ten files, and count them', () => {
    const [, trace = ''] = /^## Trace: one hold\n([^]*?)^## /m.exec(read('docs/architecture.md')) ?? [];
    const [, first, last, count] = /\(steps (\d+) to (\d+)\) these are (\w+) files/.exec(trace) ?? [];
    const files = [...trace.matchAll(/^\| (\d+) +\| `([^`]+)`/gm)]
      .filter(([, step]) => Number(step) >= Number(first) && Number(step) <= Number(last))
      .map(([, , file = '']) => file);
    expect(files[0]).toMatch(/^services\/gateway\//);
    expect(files.at(-1)).toMatch(/^packages\/event-store\//);
    const words = ['seven', 'eight', 'nine', 'ten'];
    expect(words.indexOf(count ?? '') + 7).toBe(new Set(files).size);
  });

  test('have tables whose rows have one cell per column', () => {
    const cells = (row: string) => row.split(/(?<!\\)\|/).length;
    const rows = (text: string) =>
      [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/(?:^\|.*\n)+/gm)].flatMap(([table]) => {
        const [head = '', ...others] = table.trimEnd().split('\n');
        return others.map((row) => (cells(row) === cells(head) ? null : `not ${cells(head) - 2} cells: ${row}`));
      });
    expect(problemsIn(pages, rows)).toEqual([]);
  });

  test('name every variable that a service reads', () => {
    const [table = ''] = read('docs/configuration.md').split(/^## /m);
    const named = new Set(
      [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) => cell.match(/\b[A-Z][A-Z0-9_]+\b/g)),
    );
    const ofServices = new Set(Object.values(serviceVariables).flatMap((shape) => Object.keys(shape)));
    expect(ofServices.size).toBeGreaterThan(50);
    expect([...ofServices].filter((name) => !named.has(name))).toEqual([]);
  });

  test('list every message with the reason for each later version, in the table and at the message’s definition', () => {
    const rows = new Map(
      [...read('docs/events.md').matchAll(/^\| `([a-z]+\.[a-z-]+)`.*$/gm)].map(([row, type = '']) => [type, row]),
    );
    const golden = find('packages/contracts/golden/*.json').map((path) => basename(path, '.json').split(/\.v(?=\d+$)/));
    expect([...rows.keys()].sort()).toEqual([...new Set(golden.map(([type = '']) => type))].sort());
    for (const [type = '', version = ''] of golden) {
      if (version !== '1') expect(rows.get(type)).toMatch(new RegExp(`\\bversions?\\b.*\\b${version}\\b`));
      const [service, name = ''] = type.split('.');
      expect(read(`services/${service}/README.md`), type).toContain(name);
    }
  });

  test('name every table in the README of its service', () => {
    const tables = find('services/*/prisma/schema.prisma').flatMap((path) => {
      const page = `${path.split(/[/\\]/).slice(0, 2).join('/')}/README.md`;
      return [...read(path).matchAll(/^ +@@map\("(\w+)"\)/gm)].map(([, table = '']) => [page, table]);
    });
    expect(tables.length).toBeGreaterThan(60);
    const unnamed = tables.filter(([page = '', table]) => !read(page).includes(`\`${table}\``));
    expect(unnamed).toEqual([]);
  });

  test('decisions have at most forty lines', () => {
    const lines = (text: string) => [
      text.trimEnd().split('\n').length > 40 ? `${text.trimEnd().split('\n').length} lines` : null,
    ];
    expect(problemsIn(decisions, lines)).toEqual([]);
  });

  test('are self-contained: nothing cites the papers that the project began with', () => {
    const papers = /\bspecification [12]\b|\bspecification,? section|\bdesign,? section|\b(?:ui|style|design)\.md\b/i;
    const cited = (text: string) => [papers.exec(text)?.[0] ?? null];
    expect(problemsIn([...sources, ...pages], cited)).toEqual([]);
  });
});
