export const SECRETS: string[];
export function withSecrets(text: string): { text: string; made: string[] };
