const KEY_SLOT = 'beltway.chat-guest-key';

/** The key while the page is open, if storage is refused or full. */
let unkept: string | null = null;

/** The key by which the server recognizes this guest (`GuestKey` of the contracts), stored on this device. */
export const chatGuestKey = {
  get(): { guestKey?: string } {
    let guestKey = unkept;
    try {
      guestKey ??= localStorage.getItem(KEY_SLOT);
    } catch {
      // The browser refuses storage, so there is no stored key.
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
  /** The header that sends the key with HTTP calls. */
  header(): Record<string, string> {
    const { guestKey } = chatGuestKey.get();
    return guestKey === undefined ? {} : { 'x-guest-key': guestKey };
  },
};
