import { expect, test } from 'vitest';
import { aTicketEvent } from '@beltway/contracts/testing/events';
import type { Language } from '@beltway/contracts/common/languages';
import { wordsIn } from '../words/words.ts';
import { openPapers, type PaperJob } from './papers.ts';

const ORDER_ID = '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10';
const anOrder = (title = 'Night') => ({
  ...{ orderId: ORDER_ID, orderNumber: '4F7K-2M9Q', tickets: [], refundable: true, refundableUntil: null },
  event: aTicketEvent({ id: 42, title, location: 'The Wharf' }),
});
const parts = (language: Language = 'en', siteUrl = 'https://beltway.test') => ({
  ...{ words: wordsIn[language], poster: null, support: undefined, siteUrl },
});
const aReader = () => {
  const left = new AbortController();
  return { signal: left.signal, leave: () => left.abort(new Error('left')) };
};

/** Papers whose drawings end only when the test ends them. */
function slowPapers(maxKeptBytes?: number) {
  const drawings: Array<{ job: PaperJob; signal: AbortSignal | undefined; end: (file?: string) => void }> = [];
  const papers = openPapers(
    (job, signal) =>
      new Promise((resolve, reject) => {
        drawings.push({ job, signal, end: (file = 'a file') => resolve([Buffer.from(file)]) });
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    maxKeptBytes,
  );
  return { papers, drawings };
}

test('a PDF is drawn once for the website and mails, until something on it changes', async () => {
  const { papers, drawings } = slowPapers();
  const first = papers.tickets(anOrder(), parts(), aReader().signal);
  drawings[0]!.end('one');
  expect(String(await first)).toBe('one');
  expect(String(await papers.tickets(anOrder(), parts('en', 'https://beltway.test/ticket-success#key=x')))).toBe('one');
  expect(drawings).toHaveLength(1);

  const changed = papers.tickets(anOrder('Another night'), parts());
  const spanish = papers.tickets(anOrder(), parts('es'));
  expect(drawings).toHaveLength(3);
  drawings[1]!.end('two');
  drawings[2]!.end('tres');
  expect([String(await changed), String(await spanish)]).toEqual(['two', 'tres']);
});

test('readers of the same tickets share one drawing', async () => {
  const { papers, drawings } = slowPapers();
  const reads = Array.from({ length: 20 }, () => papers.tickets(anOrder(), parts(), aReader().signal));
  expect(drawings).toHaveLength(1);
  drawings[0]!.end();
  expect(new Set((await Promise.all(reads)).map(String))).toEqual(new Set(['a file']));
});

test('a drawing is dropped when its last reader has left, and the next reader gets a new one', async () => {
  const { papers, drawings } = slowPapers();
  const [one, other] = [aReader(), aReader()];
  const reads = [one, other].map(({ signal }) => papers.tickets(anOrder(), parts(), signal));
  const ended = Promise.allSettled(reads);
  one.leave();
  expect(drawings[0]!.signal!.aborted).toBe(false);
  other.leave();
  expect(drawings[0]!.signal!.aborted).toBe(true);
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

  const again = papers.tickets(anOrder(), parts(), aReader().signal);
  drawings[1]!.end();
  expect(String(await again)).toBe('a file');
});

test('nothing is drawn for a reader who has left', async () => {
  const { papers, drawings } = slowPapers();
  const gone = aReader();
  gone.leave();
  await expect(papers.tickets(anOrder(), parts(), gone.signal)).rejects.toThrow('left');
  expect(drawings.every(({ signal }) => signal!.aborted)).toBe(true);
});

test('if 32 readers wait, the next reader gets 503, and PDFs for mails are still drawn', async () => {
  const { papers, drawings } = slowPapers();
  const reads = Array.from({ length: 32 }, (_, n) => papers.tickets(anOrder(`Night ${n}`), parts(), aReader().signal));
  await expect(papers.tickets(anOrder('One more'), parts(), aReader().signal)).rejects.toMatchObject({
    ...{ status: 503, retryAfter: 1 },
  });
  const mailed = papers.tickets(anOrder('Mailed'), parts());
  expect(drawings).toHaveLength(33);
  for (const { end } of drawings) end();
  await Promise.all([...reads, mailed]);
  expect(String(await papers.tickets(anOrder('Night 7'), parts(), aReader().signal))).toBe('a file');
});

test('cached PDFs are bounded in bytes, and the least recently used is evicted first', async () => {
  const { papers, drawings } = slowPapers(20);
  const draw = async (title: string) => {
    const before = drawings.length;
    const file = papers.tickets(anOrder(title), parts());
    if (drawings.length > before) drawings.at(-1)!.end('8 bytes.');
    await file;
    return drawings.length > before;
  };
  expect([await draw('A'), await draw('B'), await draw('A')]).toEqual([true, true, false]);
  expect([await draw('C'), await draw('A'), await draw('B')]).toEqual([true, false, true]);
});
