/** A source file to make mutants of. */
export interface Target {
  file: string;
  /** Lines, from 1 on. */
  from: number;
  to: number;
  /** The package or service that it belongs to, whose tests are to notice. */
  within: string;
}

const SOURCE = /^((?:packages|services)\/[^/]+)\/src\/.*\.ts$/;
const NO_SOURCE = /\.test\.ts$|\.d\.ts$|\/generated\/|\/src\/testing(\/|\.ts$)/;
/** What is mutated without a path: the rules of money and tickets. */
const CORE = [
  /^services\/[^/]+\/src\/(.*[/-])?(decider|process|stock|consumers)\.ts$/,
  /^packages\/event-store\/src\//,
  // Only the tests of project kafka, which this does not run, check the bus on Kafka.
  /^packages\/kit\/src\/bus\/(?!kafka\/)/,
];

/** The files whose path contains one of `paths`; `file.ts:10` and `file.ts:10-20` select lines of a file. */
export function selectTargets(files: string[], paths: string[]): Target[] {
  const sources = files.filter((file) => SOURCE.test(file) && !NO_SOURCE.test(file));
  const target = (file: string, from = 1, to = Infinity): Target => ({
    file,
    from,
    to,
    within: SOURCE.exec(file)![1]!,
  });
  if (paths.length === 0)
    return sources.filter((file) => CORE.some((one) => one.test(file))).map((file) => target(file));
  return paths.flatMap((path) => {
    const [, part, from, to] = /^(?:\.\/)?(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(path)!;
    const found = sources.filter((file) => file.includes(part!));
    if (found.length === 0) throw new Error(`No source file has ${part} in its path`);
    return found.map((file) => (from === undefined ? target(file) : target(file, Number(from), Number(to ?? from))));
  });
}
