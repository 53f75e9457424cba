import { connect } from 'node:net';

/** True when a PING is answered, or refused to who has not signed in. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    const say = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => say(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.once('error', () => say(false));
    // Docker's proxy takes a connection for a server that does not listen yet, and closes it.
    socket.once('close', () => say(false));
    socket.setTimeout(1_000, () => say(false));
  });
}
