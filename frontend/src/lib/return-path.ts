/** /auth?next=…, which leads back here after signing in. */
export const signInPath = (next: string): string => (next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`);

/** The path to go back to; only one on this site, whatever the address says. */
export function returnPath(search: URLSearchParams): string {
  const next = search.get('next') ?? '/';
  const target = URL.parse(next, window.location.origin);
  if (!target || target.origin !== window.location.origin || target.pathname === '/auth') return '/';
  return target.pathname + target.search + target.hash;
}
