const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** True if a socket's IP address, or the host to listen on, is reachable only from this machine. */
export const isLoopback = (address: string): boolean => address === 'localhost' || LOOPBACK.test(address);

const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True if a host (from a URL or a `Host` header) is a local name or IP address. Ignores the port. */
export const namesThisMachine = (host: string): boolean => OWN_NAMES.has(host.replace(/:\d+$/, '').toLowerCase());

/** True if a URL's host is a local name or IP address. False for an invalid URL. */
export const isOnThisMachine = (url: string): boolean => URL.canParse(url) && namesThisMachine(new URL(url).host);
