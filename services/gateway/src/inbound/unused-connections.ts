import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/**
 * Tracks connections that have not sent a request yet. Browsers open some in advance, and Node counts them as busy: a
 * closing server would wait until their headers time out. Returns a function that closes them.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  // On a TLS server `req.socket` is the TLS socket, not the TCP connection below it.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const used = (req: IncomingMessage) => void unused.delete(req.socket);
  for (const event of ['request', 'upgrade', 'checkContinue']) server.prependListener(event, used);
  return () => unused.forEach((socket) => socket.destroy());
}
