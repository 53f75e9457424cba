const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether an address, of a socket or to listen on, is reached from this machine alone. */
export const isLoopback = (address: string): boolean => address === 'localhost' || LOOPBACK.test(address);
