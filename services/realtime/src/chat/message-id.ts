/** The id of a chat message in moderation: the room, and the message's number in that room. */
export const messageIdOf = (room: string, seq: number): string => `${room}.${seq}`;

export function placeOf(id: string): { room: string; seq: number } {
  const [room = '', seq] = id.split('.');
  return { room, seq: Number(seq) };
}
