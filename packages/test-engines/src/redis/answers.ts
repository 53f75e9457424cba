import { connect } from 'node:net';

/** True if the server replies to a PING, even if it rejects the PING for lack of authentication. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    const say = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => say(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.once('error', () => say(false));
    // Docker's proxy accepts a connection before the server listens, and then closes it.
    socket.once('close', () => say(false));
    socket.setTimeout(1_000, () => say(false));
  });
}
