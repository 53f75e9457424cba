export function whyTooOld(version: string): string | undefined;
