/** How moderation names a message of a chat: its room and its number there. */
export const messageIdOf = (room: string, seq: number): string => `${room}.${seq}`;

export function placeOf(id: string): { room: string; seq: number } {
  const [room = '', seq] = id.split('.');
  return { room, seq: Number(seq) };
}
