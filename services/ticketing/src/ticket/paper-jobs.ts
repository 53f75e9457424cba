import { wordsIn } from '../words/words.ts';
import { qrPng, ticketsPdf } from './documents.ts';
import type { PaperJob, PaperOutcome } from './papers.ts';

/** Runs a job of `papers.ts`. Never rejects. */
export async function perform(job: PaperJob): Promise<PaperOutcome> {
  try {
    if (job.kind === 'codes') return { drawn: await Promise.all(job.texts.map(qrPng)) };
    const { kind: _kind, order, language, ...parts } = job;
    return { drawn: [await ticketsPdf(order, { ...parts, words: wordsIn[language] })] };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
