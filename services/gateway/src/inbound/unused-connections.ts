import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches for connections without a request so far. Browsers open some in advance; Node counts them as busy, so that a
 * server that is to close waits for them until their headers are overdue. Gives how to close them.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const used = (req: IncomingMessage) => void unused.delete(req.socket);
  for (const event of ['request', 'upgrade', 'checkContinue']) server.prependListener(event, used);
  return () => unused.forEach((socket) => socket.destroy());
}
