const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * True for requests from our own pages. A browser names the page's origin on every upgrade and on every request across sites;
 * what names none is no page of another site. At home on this machine, all its names are one.
 */
export function ourOrigin(publicUrl: string): (origin: string | undefined) => boolean {
  const { protocol, hostname, port, origin: own } = new URL(publicUrl);
  const ours = new Set([own]);
  if (LOOPBACK.includes(hostname))
    for (const name of LOOPBACK) ours.add(new URL(`${protocol}//${name}:${port}`).origin);
  return (origin) => origin === undefined || ours.has(origin);
}
