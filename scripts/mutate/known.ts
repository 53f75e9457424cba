/** A mutant that no test can kill, or need not. */
export interface Known {
  file: string;
  /** Its line of the source, and what it turns into what there. */
  line: string;
  change: string;
  why: string;
}

export const KNOWN: Known[] = [];
