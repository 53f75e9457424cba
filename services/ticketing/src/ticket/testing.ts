import { perform } from './paper-jobs.ts';
import { openPapers, type Draw, type Papers } from './papers.ts';

/** Draws in this process, because starting another process takes a second. */
export const drawHere: Draw = async (job) => {
  const outcome = await perform(job);
  if ('failed' in outcome) throw new Error(outcome.failed);
  return outcome.drawn;
};
export const papersHere = (): Papers => openPapers(drawHere);
