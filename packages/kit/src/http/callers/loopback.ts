const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether an address, of a socket or to listen on, is reached from this machine alone. */
export const isLoopback = (address: string): boolean => address === 'localhost' || LOOPBACK.test(address);

const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host, as a URL or a `Host` header has it, is one of the names by which a machine calls itself; its port counts for nothing. */
export const namesThisMachine = (host: string): boolean => OWN_NAMES.has(host.replace(/:\d+$/, '').toLowerCase());

/** The same of a whole address. What is none is elsewhere. */
export const isOnThisMachine = (url: string): boolean => URL.canParse(url) && namesThisMachine(new URL(url).host);
