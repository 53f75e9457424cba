/** A source file to mutate. */
export interface Target {
  file: string;
  /** Ranges of lines, counted from 1; empty: all lines. */
  lines: Array<[from: number, to: number]>;
  /** The package or service whose tests should detect the mutants. */
  within: string;
}

const SOURCE = /^((?:packages|services)\/[^/]+)\/src\/.*\.ts$/;
const NO_SOURCE = /\.test\.ts$|\.d\.ts$|\/generated\/|\/src\/testing(\/|\.ts$)/;
/** The files that are mutated if no path is given: the rules of money and tickets. */
const CORE = [
  /^services\/[^/]+\/src\/(.*[/-])?(decider|process|stock|consumers)\.ts$/,
  /^packages\/event-store\/src\//,
  // Excludes the bus on Kafka, because this script does not run the project kafka, which alone tests that bus.
  /^packages\/kit\/src\/bus\/(?!kafka\/)/,
];

/** The files whose path contains one of `paths`; `file.ts:10` and `file.ts:10-20` select lines of a file. */
export function selectTargets(files: string[], paths: string[]): Target[] {
  const sources = files.filter((file) => SOURCE.test(file) && !NO_SOURCE.test(file));
  const targets = new Map<string, Target>();
  const select = (file: string): Target => {
    const target = targets.get(file) ?? { file, lines: [], within: SOURCE.exec(file)![1]! };
    targets.set(file, target);
    return target;
  };
  if (paths.length === 0) sources.filter((file) => CORE.some((one) => one.test(file))).forEach(select);
  for (const path of paths) {
    const [, part, from, to] = /^(?:\.\/)?(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(path)!;
    const found = sources.filter((file) => file.includes(part!));
    if (found.length === 0) throw new Error(`No source file has ${part} in its path`);
    for (const file of found) {
      const { lines } = select(file);
      if (from !== undefined) lines.push([Number(from), Number(to ?? from)]);
    }
  }
  return [...targets.values()];
}
