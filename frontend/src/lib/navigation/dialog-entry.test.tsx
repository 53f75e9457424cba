import { act, renderHook } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DIALOG_ENTRY, useDialogEntry } from './dialog-entry.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Opens a page with its dialog, in a tab where going back does nothing. */
function openDialog() {
  window.history.replaceState({ usr: DIALOG_ENTRY, key: 'opened', idx: 1 }, '', '/event/7#edit');
  vi.spyOn(window.history, 'go').mockImplementation(() => undefined);
  return renderHook(() => useDialogEntry('edit'), { wrapper: BrowserRouter });
}
const close = async (dialog: ReturnType<typeof openDialog>) => {
  act(() => dialog.result.current[1](false));
  await act(async () => undefined);
};

test('a dialog closes in a tab where going back does nothing', async () => {
  const dialog = openDialog();
  await close(dialog);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(dialog.result.current[0]).toBe(false);
  expect(window.location.hash).toBe('');
});

test('a dialog closed on an unmounted page does not change the URL', async () => {
  const dialog = openDialog();
  await close(dialog);
  dialog.unmount();
  vi.advanceTimersByTime(1_000);
  expect(window.location.hash).toBe('#edit');
});

test('a dialog replaces another one whose code is still loading, so that closing it does not open the other', async () => {
  window.history.replaceState(null, '', '/event/7');
  const page = renderHook(() => useDialogEntry('report'), { wrapper: BrowserRouter });
  const entries = window.history.length;
  // The other dialog's entry exists, but the page has not rendered it.
  window.history.replaceState({ usr: DIALOG_ENTRY, key: 'other', idx: 1 }, '', '/event/7#remove');
  act(() => page.result.current[1](true));
  expect(window.location.hash).toBe('#report');
  expect(window.history.length).toBe(entries);
});
