import { make } from './dom.ts';

interface ChallengeOptions {
  /** The page to show, on the sandbox's own origin. */
  url: string;
  source: string;
  /**
   * Resolves true if the intent no longer waits for the bank. The dialog then closes, even if the bank page's message
   * was lost.
   */
  settled: () => Promise<boolean>;
  pollMs?: number;
}

/**
 * Shows the bank's page in a modal dialog. Resolves `answered` when the page reports an answer or the intent no longer
 * waits, and `closed` when the buyer presses Escape or the close button. The native dialog traps the focus and returns
 * it.
 */
export function challengeDialog({
  url,
  source,
  settled,
  pollMs = 2_000,
}: ChallengeOptions): Promise<'answered' | 'closed'> {
  const origin = new URL(url, window.location.href).origin;
  const frame = make('iframe', {
    class: 'sbx-frame',
    // The bank's page uses our page's theme.
    src: `${url}?theme=${getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'dark' : 'light'}`,
    title: '3-D Secure: confirm the payment with your bank',
  });
  const close = make('button', { type: 'button', class: 'sbx-close' }, 'Cancel');
  const dialog = make(
    'dialog',
    { class: 'sbx-dialog', 'aria-label': 'Confirm with your bank' },
    make('div', { class: 'sbx-sheet' }, frame, close),
  );
  const opener = document.activeElement;
  document.body.append(dialog);

  return new Promise((resolve) => {
    const finish = (outcome: 'answered' | 'closed') => {
      window.removeEventListener('message', hear);
      clearInterval(timer);
      dialog.close();
      dialog.remove();
      if (opener instanceof HTMLElement) opener.focus();
      resolve(outcome);
    };
    const hear = (event: MessageEvent) => {
      const said = event.data as { type?: unknown; source?: unknown; outcome?: unknown } | null;
      if (event.origin !== origin || event.source !== frame.contentWindow) return;
      if (said?.type !== 'sbx-3ds' || said.source !== source) return;
      finish(said.outcome === 'escape' ? 'closed' : 'answered');
    };
    const timer = setInterval(
      () => void settled().then((yes) => yes && dialog.isConnected && finish('answered')),
      pollMs,
    );
    window.addEventListener('message', hear);
    close.addEventListener('click', () => finish('closed'));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      finish('closed');
    });
    dialog.showModal();
  });
}
