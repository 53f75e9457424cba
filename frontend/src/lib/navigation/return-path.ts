/** The path /auth?next=…, which leads back to `next` after signing in. */
export const signInPath = (next: string): string => (next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`);

/** The path to return to. Only paths of this site are allowed; otherwise `next` would be an open redirect. */
export function returnPath(search: URLSearchParams): string {
  try {
    const next = new URL(search.get('next') ?? '/', window.location.origin);
    if (next.origin === window.location.origin && next.pathname !== '/auth')
      return next.pathname + next.search + next.hash;
  } catch {
    // Not a valid URL.
  }
  return '/';
}
