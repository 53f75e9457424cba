const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * True for requests from our own pages. A browser sends the page's origin with every upgrade and every cross-site
 * request. A request without an origin therefore does not come from another site's page. If our site is on this
 * machine, all of the machine's loopback names count as one origin.
 */
export function ourOrigin(publicUrl: string): (origin: string | undefined) => boolean {
  const { protocol, hostname, port, origin: own } = new URL(publicUrl);
  const ours = new Set([own]);
  if (LOOPBACK.includes(hostname))
    for (const name of LOOPBACK) ours.add(new URL(`${protocol}//${name}:${port}`).origin);
  return (origin) => origin === undefined || ours.has(origin);
}
