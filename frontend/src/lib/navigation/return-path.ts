/** /auth?next=…, which leads back here after signing in. */
export const signInPath = (next: string): string => (next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`);

/** The path to go back to; only one on this site, whatever the address says. */
export function returnPath(search: URLSearchParams): string {
  try {
    const next = new URL(search.get('next') ?? '/', window.location.origin);
    if (next.origin === window.location.origin && next.pathname !== '/auth')
      return next.pathname + next.search + next.hash;
  } catch {
    // No address at all.
  }
  return '/';
}
