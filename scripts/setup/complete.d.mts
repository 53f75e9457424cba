interface Machine {
  platform: string;
  arch: string;
  versions?: { node: string };
}
export function nodeOf(root: string, machine?: Machine): string;
export function whatIsMissing(root: string, machine?: Machine): string | undefined;
