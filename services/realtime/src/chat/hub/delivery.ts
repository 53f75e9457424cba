import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import { hasDrained, prepare, send, type Prepared } from './frames.ts';
import { lastSent, PAGE, type Hub, type Member, type OpenRoom, type Pace } from './state.ts';
import { frameForReaders, hiddenFrom, seenBy, type HiddenAccounts } from './visibility.ts';

/** How long messages of a busy room are batched. A room is busy above `QUIET_PER_SECOND` messages in a second. */
export const FLUSH_MS = 50;
const QUIET_PER_SECOND = 40;
/** How often members that are behind are checked. */
const RESUME_MS = 100;
/**
 * Maximum number of changed messages kept for a member that is behind. The messages with the highest numbers are kept.
 */
const MAX_MISSED = 1_000;

// Batches

/** Adds a message to the next flush. */
export function enqueue(hub: Hub, room: OpenRoom, message: ChatMessage): void {
  room.outbox.push(message);
  countMessage(room.pace);
  if (room.outbox.length >= PAGE) flush(hub, room);
}

/** Flushes now if the room is quiet, else when its interval is over. */
export function scheduleFlush(hub: Hub, room: OpenRoom): void {
  if (room.flushTimer || room.outbox.length === 0) return;
  // A quiet room pauses after a flush for as long as that flush took. Without pauses, no messages would be received
  // between flushes, and a busy room would look quiet.
  const wait = (isBusy(room.pace) ? room.flushedAt + FLUSH_MS : room.restsUntil) - performance.now();
  if (wait <= 0) return flush(hub, room);
  room.flushTimer = setTimeout(() => {
    room.flushTimer = undefined;
    flush(hub, room);
  }, wait);
}

function flush(hub: Hub, room: OpenRoom): void {
  clearTimeout(room.flushTimer);
  room.flushTimer = undefined;
  const messages = room.outbox;
  if (messages.length === 0) return;
  room.outbox = [];
  room.flushedAt = performance.now();
  if (room.members.size === 0) return;
  const frameFor = frameForReaders(hub.visibility, 'messages', room.info.room, messages);
  for (const member of room.members.values()) {
    if (member.isBehind || member.isJoining) continue;
    if (send(member.socket, frameFor(member.reader))) member.sent = room.last;
    else fallBehind(hub, member);
  }
  const now = performance.now();
  room.restsUntil = now + Math.min(now - room.flushedAt, FLUSH_MS);
}

function countMessage(pace: Pace): void {
  const second = Math.floor(performance.now() / 1_000);
  if (second !== pace.second) {
    pace.before = second === pace.second + 1 ? pace.now : 0;
    pace.now = 0;
    pace.second = second;
  }
  pace.now++;
}

/** The previous second counts only with the fraction that lies within the last second. */
const isBusy = ({ now, before }: Pace): boolean =>
  now + before * (1 - ((performance.now() / 1_000) % 1)) > QUIET_PER_SECOND;

// Immediately

/**
 * Sends a frame about the whole room to its members on this instance. A member that is behind later gets the last frame
 * of each socket event.
 */
export function sendToRoom(hub: Hub, room: string, frame: Prepared): void {
  for (const member of hub.rooms.get(room)?.members.values() ?? [])
    if (!sendNow(hub, member, frame)) member.unsent.set(frame.event, frame);
}

export function sendChanges(hub: Hub, room: OpenRoom, messages: ChatMessage[]): void {
  const frameFor = frameForReaders(hub.visibility, 'messages-changed', room.info.room, messages);
  for (const member of room.members.values()) {
    if (sendNow(hub, member, frameFor(member.reader))) continue;
    for (const message of messages) member.missed.set(message.seq, message);
    while (member.missed.size > MAX_MISSED) member.missed.delete(Math.min(...member.missed.keys()));
  }
}

function sendNow(hub: Hub, member: Member, frame: Prepared): boolean {
  if (member.isJoining) return false;
  if (!member.isBehind && send(member.socket, frame)) return true;
  fallBehind(hub, member);
  return false;
}

// Members that are behind

export function fallBehind(hub: Hub, member: Member): void {
  member.isBehind = true;
  hub.resumeTimer ??= setInterval(() => resumeAll(hub), RESUME_MS);
}

function resumeAll(hub: Hub): void {
  let behind = 0;
  for (const room of hub.rooms.values())
    for (const member of room.members.values()) {
      if (member.isBehind) resume(hub, room, member);
      if (member.isBehind) behind++;
    }
  if (behind > 0) return;
  clearInterval(hub.resumeTimer);
  hub.resumeTimer = undefined;
}

/**
 * Sends a member the messages that it missed, from memory. If older messages are missing, the page notices a gap in the
 * numbers and requests them.
 */
function resume({ visibility }: Hub, room: OpenRoom, member: Member): void {
  if (member.isJoining || !hasDrained(member.socket)) return;
  const sendMessages = (event: 'messages' | 'messages-changed', messages: ChatMessage[]) => {
    const seen = seenBy(hiddenFrom(visibility, member.reader), messages);
    return send(member.socket, prepare(event, { room: room.info.room, messages: seen }));
  };
  const missed = room.ring.filter(({ seq }) => seq > member.sent && seq <= lastSent(room));
  const page = missed.slice(0, PAGE);
  if (page.length > 0) {
    if (!sendMessages('messages', page)) return;
    member.sent = page.at(-1)!.seq;
  }
  if (page.length < missed.length) return;
  while (member.missed.size > 0) {
    const changed = [...member.missed.values()].slice(0, PAGE);
    if (!sendMessages('messages-changed', changed)) return;
    for (const { seq } of changed) member.missed.delete(seq);
  }
  for (const [event, frame] of member.unsent) {
    if (!send(member.socket, frame)) return;
    member.unsent.delete(event);
  }
  member.isBehind = false;
}

/** Resends to a member the messages of these accounts that are in memory, as the member sees them now. */
export function resendFrom(hub: Hub, room: OpenRoom, member: Member, accounts: HiddenAccounts): void {
  for (const message of room.ring)
    if (message.userId !== null && accounts.has(message.userId) && message.seq <= member.sent)
      member.missed.set(message.seq, message);
  fallBehind(hub, member);
  resume(hub, room, member);
}

/** Resends to a reader the messages of accounts that became hidden from the reader, or visible again. */
export function resendToReader(hub: Hub, userId: number, accounts: HiddenAccounts): void {
  for (const room of hub.rooms.values())
    for (const member of room.members.values())
      if (member.reader === userId && !member.isJoining) resendFrom(hub, room, member, accounts);
}
