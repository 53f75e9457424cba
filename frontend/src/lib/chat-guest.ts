const KEY_SLOT = 'beltway.chat-guest-key';

/** The key by which the server knows this guest again (`GuestKey` of the contracts): kept on this device. */
export const chatGuestKey = {
  get(): { guestKey?: string } {
    const guestKey = localStorage.getItem(KEY_SLOT);
    return guestKey === null ? {} : { guestKey };
  },
  set: (key: string): void => localStorage.setItem(KEY_SLOT, key),
  /** For calls by HTTP. */
  header(): Record<string, string> {
    const { guestKey } = chatGuestKey.get();
    return guestKey === undefined ? {} : { 'x-guest-key': guestKey };
  },
};
