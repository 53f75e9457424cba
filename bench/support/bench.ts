export interface Options {
  /** Number of measurements per side; the sides take turns. */
  rounds: number;
  /** Duration of each measurement, without its warm-up. */
  seconds: number;
  /** Size of the data (events, tickets); undefined: the size in the claim. */
  size?: number | undefined;
  /** If true, the bench checks only exactness, with fewer users and almost no warm-up. */
  isShort: boolean;
  /** Prints a line of progress. */
  say: (line: string) => void;
  /** Registers cleanup. It runs at the end of the bench, even after a failure, in reverse order. */
  onEnd: (work: () => unknown) => void;
}

/** Results of a bench. With `exact: false` the bench fails, however fast it was. */
export type Figures = Record<string, unknown> & { exact?: boolean };

export interface Bench {
  about: string;
  defaults: Pick<Options, 'rounds' | 'seconds'>;
  /** Sizes for `--short`, in addition to one round of one second. */
  short?: Partial<Pick<Options, 'seconds' | 'size'>>;
  run(options: Options): Promise<Figures>;
}
