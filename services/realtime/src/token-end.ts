/** When a token ends, in ms; it was verified before. */
export function endOfToken(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : Infinity;
  } catch {
    return Infinity;
  }
}
