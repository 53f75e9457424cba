export function whatIsMissing(root: string, machine?: { platform: string; arch: string }): string | undefined;
