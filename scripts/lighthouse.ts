import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Event } from '@beltway/contracts/catalog/events';
import { findChromium } from './chromium.mjs';
import { startBeltway } from '../e2e/support/beltway.ts';

/**
 * `npm run lighthouse [-- runs] [--page /auth]` prints the Lighthouse scores (mobile) of six pages, or of one of them, on
 * a fresh copy with the sample data: the median run of each page, 3 runs by default. It fails if accessibility is
 * below 100; the other scores depend on the machine. npx downloads Lighthouse, because as a dependency it would be the
 * repository's largest. The last line is JSON.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { id: string; title: string; score: number | null; displayValue?: string; details?: { items?: unknown[] } }
  >;
}

const { values, positionals } = parseArgs({ options: { page: { type: 'string' } }, allowPositionals: true });
const runs = Number(positionals[0] ?? 3);
if (!(runs >= 1 && runs <= 20)) throw new Error('The number of runs is from 1 to 20');
const chromium = findChromium();
if (!chromium) throw new Error('There is no Chromium; CHROME_PATH may name one');
const folder = mkdtempSync(join(tmpdir(), 'beltway-lighthouse-'));

async function measure(url: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const flags = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage'].join(' ');
  const args = [
    '--yes',
    LIGHTHOUSE,
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--chrome-flags=${flags}`,
  ];
  const run = () =>
    promisify(execFile)('npx', [...args, `--only-categories=${CATEGORIES.join()}`], {
      env: { ...process.env, CHROME_PATH: chromium },
      timeout: 300_000,
    });
  // Retries once, because a browser may not start in time on a busy machine.
  await run().catch(run);
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

const scoreOf = ({ categories }: Report, name: string) => Math.round((categories[name]?.score ?? 0) * 100);
/** Audits that cost points: those with a weight and less than the full score. */
const faultsOf = ({ categories, audits }: Report) => {
  const counting = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  return [...new Set(counting.map(({ id }) => id))]
    .map((id) => audits[id]!)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ title, displayValue = '' }) => `${title} ${displayValue}`.trim());
};

/** The element of the largest contentful paint, as HTML. */
const largestOf = ({ audits }: Report): string =>
  (audits['lcp-breakdown-insight']?.details?.items ?? [])
    .map((item) => (item as { snippet?: string }).snippet ?? '')
    .join('')
    .slice(0, 200);

const beltway = await startBeltway({ demo: true });
try {
  const events = (await (await fetch(`${beltway.url}/api/events`)).json()) as Event[];
  const onSale = events.find(
    ({ ticketPrice, totalTickets, soldTickets }) => ticketPrice && (totalTickets ?? 0) > soldTickets,
  );
  if (!onSale) throw new Error('No sample event sells tickets');
  const pages = {
    '/': '/',
    '/event/{id}': `/event/${onSale.id}`,
    '/ticket-checkout': `/ticket-checkout?eventId=${onSale.id}`,
    '/auth': '/auth',
    '/organizer/{id}': `/organizer/${onSale.userId}`,
    '/community': '/community',
  };
  const scores: Record<string, Record<string, number>> = {};
  const measured = Object.entries(pages).filter(([name]) => values.page === undefined || values.page === name);
  if (measured.length === 0) throw new Error(`--page is one of ${Object.keys(pages).join(', ')}`);
  for (const [name, path] of measured) {
    const reports: Report[] = [];
    for (let run = 0; run < runs; run++) reports.push(await measure(beltway.url + path));
    const median = reports.toSorted((one, other) => scoreOf(one, 'performance') - scoreOf(other, 'performance'))[
      Math.floor(runs / 2)
    ]!;
    scores[name] = Object.fromEntries(CATEGORIES.map((category) => [category, scoreOf(median, category)]));
    console.log(`${name}  ${CATEGORIES.map((category) => `${category} ${scores[name]![category]}`).join(', ')}`);
    console.log(
      `  ${METRICS.map((id) => `${median.audits[id]?.title} ${median.audits[id]?.displayValue}`).join(', ')}`,
    );
    console.log(`  Largest content: ${largestOf(median)}`);
    for (const fault of faultsOf(median)) console.log(`  - ${fault}`);
  }
  console.log(`load of this machine: ${loadavg()[0]!.toFixed(1)}`);
  console.log(JSON.stringify({ lighthouse: LIGHTHOUSE, runs, scores }));
  if (Object.values(scores).some(({ accessibility }) => accessibility !== 100)) process.exitCode = 1;
} finally {
  await beltway.stop();
  rmSync(folder, { recursive: true, force: true });
}
