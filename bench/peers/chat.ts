import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/**
 * A chat as in the socket.io documentation: rooms, `emit`, nothing stored. Messages have the same fields as ours. Sends
 * its port to the parent.
 */
const server = createServer();
const io = new Server(server, { serveClient: false, perMessageDeflate: false });
let seq = 0;

io.on('connection', (socket) => {
  const userName = `Writer ${(socket.handshake.auth as { token?: string }).token}`;
  socket.on('join', async ({ room }: { room: string }, answer: (joined: object) => void) => {
    await socket.join(room);
    answer({ messages: [], seq, online: 0, changed: [] });
  });
  socket.on(
    'say',
    ({ room, id, message }: { room: string; id: string; message: string }, answer: (said: object) => void) => {
      seq++;
      const shown = { seq, id, eventId: null, userId: 1, userName, message };
      const marks = { isSystemMessage: false, isOrganizer: false, isDemo: false, isRemoved: false, reactions: {} };
      io.to(room).emit('messages', {
        room,
        messages: [{ ...shown, ...marks, createdAt: new Date().toISOString() }],
      });
      answer({ seq });
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
