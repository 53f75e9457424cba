export const SECRETS: string[];
export const ROTATED: string[];
export function withSecrets(text: string): { text: string; made: string[] };
export function rotated(text: string, step: string, name: string): string;
export function withSandbox(text: string): { text: string; made: string[] };
