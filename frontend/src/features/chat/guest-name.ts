const SLOT = 'beltway.chat-guest-name';

/** The name that somebody without an account chose for all rooms: kept on this device. */
export const guestName = {
  get: (): string => localStorage.getItem(SLOT) ?? '',
  set: (name: string): void => localStorage.setItem(SLOT, name),
};
