import { dayAt, daysAfter, instantOf } from '@beltway/contracts/common/times';
import { beforeAll, expect, test } from 'vitest';
import { PATIENCE_MS, sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });
/** The test searches for a date, because at some hours "tonight" is the night before the sample events. */
const DAY = daysAfter(dayAt(new Date()), 20);
const [MONTH_EN, MONTH_ES] = ['en', 'es'].map((language) =>
  new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
    .format(new Date(DAY))
    .slice(0, 3)
    .toLowerCase(),
);
const DATE = Number(DAY.slice(8));
const TITLE = 'Free Jazz by the Fountain';

beforeAll(async () => {
  await here.api.organize({
    title: TITLE,
    hasTickets: false,
    ticketSalesEnabled: false,
    ticketPrice: null,
    totalTickets: null,
    tags: ['#free', '#jazz'],
    eventDate: instantOf(DAY).toISOString(),
  });
});

test.each([
  ['en', 'free ', `jazz events ${MONTH_EN} ${DATE}`, '‘free’: Free', `‘${MONTH_EN} ${DATE}’: `],
  ['es', 'gratis ', `eventos de jazz ${DATE} ${MONTH_ES}`, '«gratis»: Gratis', `«${DATE} ${MONTH_ES}»: `],
] as const)('words for a price and a day are filters to remove, %s', async (lang, price, left, free, date) => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await page.goto(`/?${new URLSearchParams({ lang, q: price + left })}`);
  const found = page.getByRole('article').filter({ hasText: TITLE }).first();
  await found.waitFor();
  for (const name of [free, date]) await page.getByRole('button', { name, pressed: true }).waitFor();
  await page.getByRole('button', { name: free, exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('q'), { timeout: PATIENCE_MS }).toBe(left);
  await page.getByRole('button', { name: free, exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: date }).waitFor();
  // The remaining words still find the event.
  await found.waitFor();
});
