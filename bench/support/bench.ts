export interface Options {
  /** How often each side is measured, in turns. */
  rounds: number;
  /** How long each measurement lasts, without its warm-up. */
  seconds: number;
  /** How many of what the bench is about (events, tickets); undefined: as many as the claim says. */
  size?: number | undefined;
  /** Prints a line for people. */
  say: (line: string) => void;
  /** Work to do when the bench is over, however it ends; the last given is done first. */
  onEnd: (work: () => unknown) => void;
}

/** What a bench found out. `exact: false` makes it fail, however fast it was. */
export type Figures = Record<string, unknown> & { exact?: boolean };

export interface Bench {
  about: string;
  defaults: Pick<Options, 'rounds' | 'seconds'>;
  run(options: Options): Promise<Figures>;
}
