/** A mutant that survives for a reason. */
export interface Known {
  file: string;
  /** The line of the source, and the change as the run prints it. */
  line: string;
  change: string;
  why: string;
}

export const KNOWN: Known[] = [];
