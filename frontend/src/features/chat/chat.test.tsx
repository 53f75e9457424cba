import { hiddenMessage } from '@beltway/contracts/realtime/chat';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chatMessages } from '../../testing/chat.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeChat, type FakeChat } from '../../testing/fake-chat.ts';
import { sessionFixture } from '../../testing/fixtures.ts';

const current = vi.hoisted(() => ({ socket: null as unknown }));
vi.mock('socket.io-client', () => ({ io: () => current.socket }));

let chat: FakeChat;
/** The account that is signed in when the next page opens. */
let account: ReturnType<typeof sessionFixture> | null = null;

/** Opens a page with the region's chat and a fresh module graph, because the socket is a module-level singleton. */
async function open(log = chatMessages(1, 30), facts = {}, more: Parameters<typeof fakeApi>[0] = {}) {
  vi.resetModules();
  if (account) {
    localStorage.setItem('beltway.token', account.token);
    localStorage.setItem('beltway.user', JSON.stringify(account.user));
  }
  chat = fakeChat(log, facts);
  current.socket = chat.socket;
  const calls = fakeApi({ ...chat.calls, ...more });
  const [{ renderAt }, { ChatSection }] = await Promise.all([
    import('../../testing/render.tsx'),
    import('./chat-section.tsx'),
  ]);
  renderAt('/', <ChatSection room="region" />);
  await screen.findByRole('heading', { name: 'Live chat' });
  act(() => chat.connect());
  await screen.findByRole('log');
  // React subscribes to the room only after the first render. Once this count is shown, later messages render
  // immediately.
  act(() => void chat.fire('online', { room: 'region', online: 3 }));
  await screen.findByText('3 here now');
  act(() => void chat.fire('online', { room: 'region', online: 2 }));
  return calls;
}
const log = () => screen.getByRole('log');
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your message' });
const messageBy = (name: RegExp) => within(log()).getByRole('group', { name });
const said = () => [...log().querySelectorAll('li')].map(({ textContent }) => textContent);

// Keeps other test files from getting this file's modules.
afterAll(() => void vi.resetModules());
beforeEach(() => {
  account = null;
  // Without IntersectionObserver, the chat counts as visible.
  vi.stubGlobal('IntersectionObserver', undefined);
});
afterEach(() => vi.unstubAllGlobals());

describe('reading', () => {
  test('shows the last 26 messages, with links and markup as plain text, and the number of people', async () => {
    await open([...chatMessages(1, 29)]);
    act(() => void chat.post({ userName: '<b>Eve</b>', message: 'https://evil.example <script>1</script>' }));
    expect(within(log()).getAllByRole('listitem')).toHaveLength(26);
    expect(screen.getByText('2 here now')).toBeTruthy();
    expect(within(messageBy(/^<b>Eve/)).getByText('https://evil.example <script>1</script>')).toBeTruthy();
    expect(log().querySelector('a, b, script')).toBeNull();
  });

  test('marks the organizer, guests, removed messages and system messages', async () => {
    const messages = chatMessages(1, 5);
    Object.assign(messages[0]!, { userName: 'Ola', userId: 9, isOrganizer: true });
    Object.assign(messages[2]!, { userName: 'Gail' });
    Object.assign(messages[3]!, { userName: 'Eve', isRemoved: true, message: '' });
    Object.assign(messages[4]!, { isSystemMessage: true, userName: '', message: 'Slow mode is off.' });
    await open(messages);
    expect(within(messageBy(/^Ola/)).getByText('Organizer')).toBeTruthy();
    expect(within(messageBy(/^Gail/)).getByText('guest')).toBeTruthy();
    expect(within(messageBy(/^Message removed/)).getByText('Message removed')).toBeTruthy();
    expect(within(log()).getByText(/Slow mode is off\./)).toBeTruthy();
    expect(within(log()).getAllByRole('group')).toHaveLength(4);
  });

  test('shows no trace of a hidden message', async () => {
    await open(chatMessages(1, 3));
    act(() => chat.change(2, hiddenMessage(chat.log[1]!)));
    expect(said().map((text) => /Message \d/.exec(text)?.[0])).toEqual(['Message 1', 'Message 3']);
    act(() => void chat.post(hiddenMessage(chatMessages(4, 4)[0]!)));
    act(() => void chat.post());
    expect(said().map((text) => /Message \d/.exec(text)?.[0])).toEqual(['Message 1', 'Message 3', 'Message 5']);
    expect(screen.queryByText('Message removed')).toBeNull();
    expect(chat.sent.filter(({ name }) => name === 'join')).toHaveLength(1);
  });

  test('a reader who has scrolled up sees the number of new messages and a button that scrolls to them', async () => {
    await open();
    const box = screen.getByRole('group', { name: 'Messages' });
    const size = vi.spyOn(box, 'scrollHeight', 'get').mockReturnValue(2_000);
    vi.spyOn(box, 'clientHeight', 'get').mockReturnValue(300);
    const scrollTo = (top: number) =>
      act(() => {
        box.scrollTop = top;
        box.dispatchEvent(new Event('scroll'));
      });
    scrollTo(700);
    act(() => void chat.post());
    act(() => void chat.post());
    // While the reader is scrolled up, no message is dropped from the top.
    expect(within(log()).getAllByRole('listitem')).toHaveLength(28);
    size.mockReturnValue(2_200);
    await userEvent.click(screen.getByRole('button', { name: '2 new messages' }));
    expect(box.scrollTop).toBe(2_200);
    expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
    act(() => void chat.post());
    expect(within(log()).getAllByRole('listitem')).toHaveLength(26);
    // Near the top, older messages load automatically.
    scrollTo(10);
    await waitFor(() => expect(within(log()).getAllByRole('listitem').length).toBeGreaterThan(26));
    expect(screen.getByText('This is the start of the chat.')).toBeTruthy();
  });

  test('announces arriving messages in batches, but not the messages that load at first', async () => {
    await open();
    const announced = () =>
      screen
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
        .join('|');
    expect(announced()).not.toContain('Message 30');
    vi.useFakeTimers();
    try {
      act(() => void chat.post());
      expect(announced()).toContain('Guest 31: Message 31');
      for (let at = 0; at < 40; at++) act(() => void chat.post());
      expect(announced()).toContain('Guest 31: Message 31');
      await act(() => vi.advanceTimersByTimeAsync(5_000));
      expect(announced()).toMatch(/new messages, latest from Guest 71: Message 71/);
    } finally {
      vi.useRealTimers();
    }
  });

  test('shows that it is disconnected, and sends the messages written offline after reconnecting', async () => {
    account = sessionFixture();
    await open();
    act(() => chat.disconnect());
    expect(screen.getByText('Not connected. Trying again…')).toBeTruthy();
    await userEvent.type(field(), 'Still here{Enter}');
    expect(within(log()).getByText('Sending…')).toBeTruthy();
    act(() => chat.connect());
    await waitFor(() => expect(within(log()).queryByText('Sending…')).toBeNull());
    expect(said().filter((text) => text?.includes('Still here'))).toHaveLength(1);
    expect(screen.queryByText('Not connected. Trying again…')).toBeNull();
  });

  test('arrow keys move between messages, and only one message is in the tab order', async () => {
    await open();
    const groups = within(log()).getAllByRole('group');
    expect(groups.filter(({ tabIndex }) => tabIndex === 0)).toEqual([groups.at(-1)]);
    act(() => groups.at(-1)!.focus());
    await userEvent.keyboard('{ArrowUp}');
    expect(document.activeElement).toBe(groups.at(-2));
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(groups[0]);
    await userEvent.tab();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Heart');
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(groups[0]);
  });
});

describe('writing', () => {
  test('a guest chooses a name once, and the name is stored on the device', async () => {
    await open();
    await userEvent.type(field(), 'Hello{Enter}');
    const name = await screen.findByRole('textbox', { name: 'Your name in the chat' });
    expect(screen.getByText(/Enter your name for the chat/)).toBeTruthy();
    expect(field().value).toBe('Hello');
    await userEvent.type(name, 'Gail');
    await userEvent.type(field(), '{Enter}');
    await within(log()).findByText('Hello');
    expect(screen.queryByRole('textbox', { name: 'Your name in the chat' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
    expect(localStorage.getItem('beltway.chat-guest-name')).toBe('Gail');
    await userEvent.type(field(), 'Again{Enter}');
    await within(log()).findByText('Again');
    expect(chat.sent.filter(({ name: of }) => of === 'say').map(({ body }) => body.guestName)).toEqual([
      'Gail',
      'Gail',
    ]);
  });

  test('Enter sends, Shift+Enter starts a new line, and Enter during composition sends nothing', async () => {
    account = sessionFixture();
    await open();
    await userEvent.type(field(), 'One{Shift>}{Enter}{/Shift}two');
    expect(field().value).toBe('One\ntwo');
    const composed = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    Object.defineProperty(composed, 'isComposing', { value: true });
    act(() => void field().dispatchEvent(composed));
    expect(chat.sent.some(({ name }) => name === 'say')).toBe(false);
    await userEvent.type(field(), '{Enter}');
    await waitFor(() => expect(chat.log.at(-1)).toMatchObject({ message: 'One\ntwo' }));
    expect(field().value).toBe('');
    expect(document.activeElement).toBe(field());
  });

  test('shows how many characters are left, and does not send a message that is too long or empty', async () => {
    account = sessionFixture();
    await open();
    await userEvent.click(field());
    await userEvent.paste('x'.repeat(450));
    expect(screen.getByText('50 characters left')).toBeTruthy();
    await userEvent.paste('x'.repeat(51));
    expect(screen.getByText('1 characters too many')).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Your message must have at most 500 characters.');
    await userEvent.clear(field());
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Write something.');
    expect(chat.sent.some(({ name }) => name === 'say')).toBe(false);
  });

  test('a refused message shows the reason, and can be retried or deleted', async () => {
    account = sessionFixture();
    await open();
    chat.refusals.set('say', { code: 'muted', message: 'You can’t post in this chat for a while.' });
    await userEvent.type(field(), 'Hello{Enter}');
    expect(await within(log()).findByText('You can’t post in this chat for a while.')).toBeTruthy();
    chat.refusals.clear();
    await userEvent.click(within(log()).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(within(log()).queryByText('Not sent')).toBeNull());
    const ids = chat.sent.filter(({ name }) => name === 'say').map(({ body }) => body.id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    chat.refusals.set('say', { code: 'muted', message: 'You can’t post in this chat.' });
    await userEvent.type(field(), 'Bye{Enter}');
    await userEvent.click(await within(log()).findByRole('button', { name: 'Delete' }));
    expect(within(log()).queryByText('Bye')).toBeNull();
  });

  test('slow mode counts down, and nothing is sent until it ends', async () => {
    account = sessionFixture();
    await open(chatMessages(1, 3), { slowModeSeconds: 30 });
    expect(await screen.findByText('Slow mode: one message every 30 seconds.')).toBeTruthy();
    await userEvent.type(field(), 'One{Enter}');
    expect(await screen.findByText(/^You can post again in \d+ seconds\.$/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
    await userEvent.type(field(), 'Two{Enter}');
    expect(field().value).toBe('Two');
    const { name, description } = chat.room;
    act(() => chat.fire('room-changed', { room: 'region', isActive: true, slowModeSeconds: 0, name, description }));
    await userEvent.type(field(), '{Enter}');
    await waitFor(() => expect(chat.log.at(-1)).toMatchObject({ message: 'Two' }));
  });

  test('a closed room is read-only', async () => {
    await open(chatMessages(1, 3), { isActive: false });
    expect(await screen.findByText('This chat is closed. You can still read it.')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('a draft survives a reload', async () => {
    account = sessionFixture();
    await open();
    await userEvent.type(field(), 'Not sent yet');
    document.body.innerHTML = '';
    await open();
    expect(field().value).toBe('Not sent yet');
  });
});

describe('reactions', () => {
  test('are added by one press, counted and marked, and removed by another press', async () => {
    const messages = chatMessages(1, 3);
    messages[1] = { ...messages[1]!, reactions: { '🔥': 2 } };
    await open(messages);
    const fire = () => within(messageBy(/^Guest 2/)).getByRole('button', { name: /^Fire: / });
    await userEvent.click(fire());
    expect(fire().getAttribute('aria-label')).toBe('Fire: 3');
    expect(fire().getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(fire());
    await waitFor(() => expect(fire().getAttribute('aria-label')).toBe('Fire: 2'));
    expect(fire().getAttribute('aria-pressed')).toBe('false');
    await userEvent.hover(messageBy(/^Guest 3/));
    const five = within(messageBy(/^Guest 3/)).getByRole('group', { name: 'Reply to Guest 3' });
    expect(
      within(five)
        .getAllByRole('button')
        .map((one) => one.getAttribute('aria-label'))
        .slice(0, 5),
    ).toEqual([...['Heart', 'Fire', 'Applause', 'Laughter', 'Party']]);
    await userEvent.click(within(five).getByRole('button', { name: 'Party' }));
    expect(await within(messageBy(/^Guest 3/)).findByRole('button', { name: 'Party: 1' })).toBeTruthy();
  });

  test('are offered for a message that appeared below the pointer, when the pointer moves', async () => {
    await open(chatMessages(1, 3));
    const answersTo = (name: string) => within(log()).queryByRole('group', { name: `Reply to ${name}` });
    // The browser reports no `pointerout`, because the element that was below the pointer is gone.
    fireEvent.pointerOver(messageBy(/^Guest 3/), { pointerType: 'mouse', relatedTarget: log() });
    expect(answersTo('Guest 3')).toBeNull();
    fireEvent.pointerMove(messageBy(/^Guest 3/), { pointerType: 'mouse' });
    expect(answersTo('Guest 3')).toBeTruthy();
    fireEvent.pointerMove(messageBy(/^Guest 2/), { pointerType: 'touch' });
    expect(answersTo('Guest 2')).toBeNull();
  });

  test('a resting pointer does not take the reactions from the message with the focus', async () => {
    await open(chatMessages(1, 3));
    await userEvent.hover(messageBy(/^Guest 2/));
    act(() => messageBy(/^Guest 2/).focus());
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(messageBy(/^Guest 3/));
    fireEvent.pointerOver(messageBy(/^Guest 2/), { pointerType: 'mouse', relatedTarget: log() });
    expect(within(messageBy(/^Guest 3/)).getByRole('group', { name: 'Reply to Guest 3' })).toBeTruthy();
    expect(within(messageBy(/^Guest 2/)).queryByRole('group', { name: 'Reply to Guest 2' })).toBeNull();
  });

  test('a refused reaction is removed again, with the reason', async () => {
    await open(chatMessages(1, 3));
    chat.refusals.set('react', {
      code: 'too-many-messages',
      message: 'You’re reacting too fast. Please wait a moment.',
    });
    await userEvent.hover(messageBy(/^Guest 3/));
    await userEvent.click(within(messageBy(/^Guest 3/)).getByRole('button', { name: 'Heart' }));
    expect(await screen.findByText('You’re reacting too fast. Please wait a moment.')).toBeTruthy();
    expect(within(messageBy(/^Guest 3/)).queryByRole('button', { name: /^Heart: / })).toBeNull();
  });
});

describe('moderation', () => {
  const menuOf = async (name: RegExp) => {
    const message = await within(log()).findByRole('group', { name });
    await userEvent.hover(message);
    await userEvent.click(await within(message).findByRole('button', { name: /^More options for/ }));
  };
  const moderate = async (item: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Moderate this chat' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  };

  test('a moderator removes a message and mutes its author for a time', async () => {
    account = sessionFixture();
    const calls = await open(
      chatMessages(1, 3),
      { canModerate: true },
      {
        'DELETE /api/chat/region/messages/3': '',
        'POST /api/chat/region/mutes': '',
      },
    );
    await screen.findByRole('button', { name: 'Moderate this chat' });
    await menuOf(/^Guest 3/);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove message' }));
    expect(await within(log()).findByRole('group', { name: /^Message removed/ })).toBeTruthy();
    await menuOf(/^Guest 2/);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Mute Guest 2' }));
    await userEvent.click(await screen.findByRole('button', { name: 'For an hour' }));
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/api/chat/region/mutes')?.body).toEqual({ seq: 2, minutes: 60 }),
    );
  });

  test('a message that was opened before the moderator’s rights were known offers what they allow, once they are known', async () => {
    account = sessionFixture();
    const facts = Promise.withResolvers<unknown>();
    await open(chatMessages(1, 3), { canModerate: true }, { 'GET /api/chat/region': () => facts.promise });
    const message = messageBy(/^Guest 3/);
    await userEvent.hover(message);
    expect(within(message).getByRole('button', { name: 'Heart' })).toBeTruthy();
    expect(within(message).queryByRole('button', { name: /^More options for/ })).toBeNull();
    await act(async () => facts.resolve({ ...chat.room }));
    await userEvent.click(await within(message).findByRole('button', { name: /^More options for/ }));
    expect(await screen.findByRole('menuitem', { name: 'Remove message' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Report' })).toBeNull();
  });

  test('a moderator sets slow mode, closes the room and unmutes', async () => {
    account = sessionFixture();
    const mute = { id: 'guest:1', userName: 'Eve', isGuest: true, until: null, at: '2030-07-01T12:00:00.000Z' };
    let mutes = [mute];
    const calls = await open(
      chatMessages(1, 3),
      { canModerate: true },
      {
        'PATCH /api/chat/region': ({ body }: { body: object }) => ({ ...chat.room, ...body }),
        'GET /api/chat/region/mutes': () => mutes,
        'DELETE /api/chat/region/mutes/guest%3A1': () => ((mutes = []), ''),
      },
    );
    await moderate('Slow mode');
    await userEvent.click(await screen.findByRole('button', { name: '30 seconds' }));
    expect(await screen.findByText('Slow mode: one message every 30 seconds.')).toBeTruthy();
    await moderate('Muted people');
    await userEvent.click(await screen.findByRole('button', { name: 'Unmute Eve' }));
    expect(await screen.findByText('No one is muted.')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await moderate('Close the chat');
    expect(await screen.findByText('Closed: only moderators can post.')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { slowModeSeconds: 30 },
      { isActive: false },
    ]);
  });

  test('a moderator adds a description, which everyone sees as plain text, and removes it', async () => {
    account = sessionFixture();
    const calls = await open(
      chatMessages(1, 3),
      { canModerate: true },
      {
        'PATCH /api/chat/region': ({ body }: { body: { description?: string | null } }) =>
          body.description === 'refused'
            ? problem(400, 'invalid', { errors: [{ field: 'description', message: 'must be text' }] })
            : { ...chat.room, ...body, description: body.description ?? '' },
      },
    );
    const describe = async (text: string) => {
      await moderate('Name and description');
      const form = within(await screen.findByRole('form', { name: 'Name and description' }));
      expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('DC area');
      await userEvent.clear(form.getByLabelText(/^Description/));
      if (text) await userEvent.type(form.getByLabelText(/^Description/), text);
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      return form;
    };
    await describe('Ask <b>here</b>');
    expect(await screen.findByText(/Ask <b>here<\/b>/)).toBeTruthy();
    const form = await describe('refused');
    expect(await form.findByText('must be text')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await describe('');
    await waitFor(() => expect(screen.queryByText(/Ask/)).toBeNull());
    expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { description: 'Ask <b>here</b>' },
      { description: 'refused' },
      { description: null },
    ]);
  });

  test('a moderator removes or keeps a reported message', async () => {
    account = sessionFixture();
    const report = { reason: 'spam', note: 'Ads', message: 'Message 2', at: '2030-07-01T12:00:00.000Z' };
    let items = [{ room: 'region', roomName: 'DC area', message: chatMessages(2, 2)[0], reports: [report] }];
    const calls = await open(
      chatMessages(1, 3),
      { canModerate: true },
      {
        'GET /api/chat/reported': () => ({ items, nextBefore: null }),
        'DELETE /api/chat/region/messages/2/reports': () => ((items = []), ''),
      },
    );
    await moderate('Reported messages');
    expect(await screen.findByText(/Spam or advertising/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
    expect(await screen.findByText('No reports.')).toBeTruthy();
    expect(calls.some(({ method, path }) => method === 'DELETE' && path.endsWith('/2/reports'))).toBe(true);
  });

  test('an account that is not a moderator reports messages, and removes its own messages', async () => {
    account = sessionFixture();
    const calls = await open(
      chatMessages(1, 3),
      {},
      {
        'POST /api/chat/region/messages/3/report': '',
        'DELETE /api/chat/region/messages/4': '',
      },
    );
    expect(screen.queryByRole('button', { name: 'Moderate this chat' })).toBeNull();
    await menuOf(/^Guest 3/);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Report' }));
    await userEvent.click(await screen.findByLabelText('Spam or advertising'));
    await userEvent.click(screen.getByRole('button', { name: 'Report' }));
    expect(await screen.findByText('The moderators will review this message.')).toBeTruthy();
    expect(calls.find(({ path }) => path.endsWith('/report'))?.body).toEqual({ reason: 'spam' });
    await userEvent.type(field(), 'Oops{Enter}');
    await within(log()).findByText('Oops');
    await menuOf(/^Ann/);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove message' }));
    expect(await within(log()).findByRole('group', { name: /^Message removed/ })).toBeTruthy();
  });

  test('a guest must sign in to report a message', async () => {
    await open(chatMessages(1, 3));
    await menuOf(/^Guest 3/);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign in to report' }));
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth'));
  });
});
