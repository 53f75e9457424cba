const KEY_SLOT = 'beltway.chat-guest-key';

/** For the time that this page is open, where the browser keeps nothing: storage may be refused, or full. */
let unkept: string | null = null;

/** The key by which the server knows this guest again (`GuestKey` of the contracts): kept on this device. */
export const chatGuestKey = {
  get(): { guestKey?: string } {
    let guestKey = unkept;
    try {
      guestKey ??= localStorage.getItem(KEY_SLOT);
    } catch {
      // Then there is none.
    }
    return guestKey === null ? {} : { guestKey };
  },
  set(key: string): void {
    try {
      localStorage.setItem(KEY_SLOT, key);
    } catch {
      unkept = key;
    }
  },
  /** For calls by HTTP. */
  header(): Record<string, string> {
    const { guestKey } = chatGuestKey.get();
    return guestKey === undefined ? {} : { 'x-guest-key': guestKey };
  },
};
