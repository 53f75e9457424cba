import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { eventFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { ShareMenu } from './share-menu.tsx';
import { shareOn, shareText } from './share.ts';

const writeText = vi.fn<(text: string) => Promise<void>>();
const execCommand = vi.fn<(command: string) => boolean>();
beforeEach(() => {
  fakeApi({});
  vi.stubGlobal('open', vi.fn());
  writeText.mockReset().mockResolvedValue();
  execCommand.mockReset().mockReturnValue(true);
  Object.defineProperty(document, 'execCommand', { value: execCommand, configurable: true });
});

async function choose(name: string) {
  renderAt('/', <ShareMenu event={eventFixture()} />);
  const user = userEvent.setup({ writeToClipboard: false });
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  await user.click(screen.getByRole('button', { name: 'Share Go-Go on the Roof' }));
  await user.click(await screen.findByRole('menuitem', { name }));
}

test('the text holds title, location, description and hashtags', () => {
  const text = shareText(eventFixture());
  expect(text).toBe(
    'Go-Go on the Roof at U Street, Washington, DC\n\nLive go-go band, a view over the city and food trucks downstairs.\n\n#liveDJ #rooftop #Beltway',
  );
});
test('a description of more than 100 characters is cut with an ellipsis, and 100 characters are kept', () => {
  expect(shareText(eventFixture({ description: 'x'.repeat(101) }))).toContain(`\n${'x'.repeat(100)}...\n`);
  expect(shareText(eventFixture({ description: 'x'.repeat(100) }))).toContain(`\n${'x'.repeat(100)}\n`);
});

test('a description is never cut inside an emoji, which networks would refuse', () => {
  const event = eventFixture({ description: `${'x'.repeat(99)}👨‍👩‍👧 and more` });
  expect(shareText(event)).toContain(`\n${'x'.repeat(99)}👨‍👩‍👧...\n`);
  const full = eventFixture({ description: `${'🎷'.repeat(120)}` });
  for (const network of ['Facebook', 'Twitter', 'WhatsApp'] as const) shareOn(network, full);
  expect(vi.mocked(window.open)).toHaveBeenCalledTimes(3);
});

describe('sharing', () => {
  test.each([
    ['Facebook', 'www.facebook.com'],
    ['Twitter', 'twitter.com'],
    ['WhatsApp', 'wa.me'],
  ])('on %s opens a popup of 600 by 400', async (network, host) => {
    await choose(`Share on ${network}`);
    const [address, , features] = vi.mocked(window.open).mock.calls[0] ?? [];
    expect(new URL(String(address)).host).toBe(host);
    expect(decodeURIComponent(String(address))).toContain('http://localhost:3000/event/7');
    expect(features).toContain('width=600,height=400');
    expect(await screen.findByText(`Shared on ${network}`)).toBeTruthy();
    expect(screen.getByText('Event shared successfully!')).toBeTruthy();
  });
  test('copies the link', async () => {
    await choose('Copy Link');
    expect(writeText).toHaveBeenCalledWith('http://localhost:3000/event/7');
    expect(await screen.findByText('Link Copied')).toBeTruthy();
    expect(screen.getByText('Event link copied to clipboard!')).toBeTruthy();
  });
  test('copies text and link for Instagram', async () => {
    await choose('Copy for Instagram');
    expect(writeText.mock.calls[0]?.[0]).toMatch(/^Go-Go on the Roof at .*\/event\/7$/s);
    expect(await screen.findByText('Share this link in your Instagram story or bio!')).toBeTruthy();
    expect(screen.getByText('Link Copied')).toBeTruthy();
  });
  test('copies with execCommand if there is no clipboard', async () => {
    writeText.mockRejectedValue(new Error('not allowed'));
    await choose('Copy Link');
    expect(execCommand).toHaveBeenCalledWith('copy');
    expect(await screen.findByText('Event link copied to clipboard!')).toBeTruthy();
    expect(document.querySelector('textarea')).toBeNull();
  });
  test('reports when copying is impossible', async () => {
    writeText.mockRejectedValue(new Error('not allowed'));
    execCommand.mockReturnValue(false);
    await choose('Copy Link');
    expect(await screen.findByText('Couldn’t copy')).toBeTruthy();
  });
});
