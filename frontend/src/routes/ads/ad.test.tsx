import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { AD_ID, adContent, boughtAd, runningAd, waitingAd } from '../../testing/ads.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { fakeDrawing, pictureFile } from '../../testing/pictures.ts';
import { renderAt } from '../../testing/render.tsx';

beforeEach(() => void fakeDrawing());

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const GET = `GET /api/ads/${AD_ID}`;
const PUT = `PUT /api/ads/${AD_ID}/content`;
const address = () => screen.getByTestId('address').textContent;
const form = () => screen.findByRole('form', { name: 'Your ad' });
const type = async (label: string, text: string) => {
  const field = within(await form()).getByLabelText(label);
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
};

test.each([`#key=secret-1`, `?key=secret-1`])(
  'the key of the link %s moves from the URL into a header',
  async (link) => {
    const calls = fakeApi({ [GET]: boughtAd() });
    renderAt(`/ad/${AD_ID}${link}`);
    expect(await screen.findByText('Photo needed')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(`/ad/${AD_ID}`));
    const asked = calls.filter(({ path }) => path.startsWith('/api/ads/'));
    expect(asked.map(({ path, headers }) => [path, headers.get('x-ad-key')])).toEqual([
      [`/api/ads/${AD_ID}`, 'secret-1'],
    ]);
    expect(calls.map(({ path }) => path).join(' ')).not.toContain('secret-1');
  },
);

test('without the key no ad is shown', async () => {
  fakeApi({ [GET]: () => problem(404, 'not-found') });
  renderAt(`/ad/${AD_ID}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'No ad here' })).toBeTruthy();
  expect(screen.queryByRole('form')).toBeNull();
});

test('after an error other than 404, the ad can be loaded again', async () => {
  let isDown = true;
  fakeApi({ [GET]: () => (isDown ? problem(503, 'unavailable') : boughtAd()) });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  await screen.findByText('Couldn’t load your ad');
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await form()).toBeTruthy();
});

test('sends picture, link and texts, and shows that they await approval', async () => {
  const calls = fakeApi({ [GET]: boughtAd(), [PUT]: waitingAd() });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  await form();
  const picture = pictureFile('png');
  await userEvent.upload(screen.getByLabelText('Photo in your ad'), picture);
  await screen.findByAltText('The photo you chose');
  await type('Title', adContent.title);
  await type('Link', adContent.linkUrl);
  await type('Alt text', adContent.alt);
  await userEvent.click(screen.getByRole('button', { name: 'Send for approval' }));
  expect(await screen.findByText('Waiting for approval')).toBeTruthy();
  const sent = calls.find(({ method }) => method === 'PUT');
  expect(sent?.headers.get('x-ad-key')).toBe('secret-1');
  expect(sent?.body).toEqual({
    title: adContent.title,
    linkUrl: adContent.linkUrl,
    alt: adContent.alt,
    imageUrl: expect.stringMatching(/^data:image\/png;base64,/) as string,
  });
});

test.each([
  ['Link', 'javascript:alert(1)', 'must be a web address that begins with https:// or http://'],
  ['Link', '', 'Enter the link your ad opens'],
  ['Title', '', 'Enter a title'],
  ['Alt text', '', 'Describe the photo for screen readers'],
])('%s %j shows an error at its field and sends nothing', async (label, text, message) => {
  const calls = fakeApi({ [GET]: waitingAd() });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  await type(label, text);
  await userEvent.click(screen.getByRole('button', { name: 'Send for approval' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
});

test('a file that is not a picture or too large is refused before it is sent', async () => {
  fakeApi({ [GET]: boughtAd() });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  await form();
  const choose = async (file: File) =>
    userEvent.upload(screen.getByLabelText('Photo in your ad'), file, { applyAccept: false });
  await choose(new File(['<svg/>'], 'pier.txt', { type: 'text/plain' }));
  expect(await screen.findByText('Please select an image file (JPG, PNG, GIF, etc.)')).toBeTruthy();
  fakeDrawing({ writes: 5 * 1024 * 1024 + 1 });
  await choose(pictureFile('png', { size: 5 * 1024 * 1024 + 1 }));
  expect(await screen.findByText('Please select an image smaller than 5MB')).toBeTruthy();
});

test('a validation error of the server is shown at its field', async () => {
  const errors = [{ field: 'imageUrl', message: 'This image is damaged or incomplete. Please select another one' }];
  fakeApi({ [GET]: waitingAd(), [PUT]: () => problem(400, 'image-broken', { errors }) });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  await type('Title', 'Another title');
  await userEvent.click(screen.getByRole('button', { name: 'Send for approval' }));
  expect(await screen.findByText(errors[0]!.message)).toBeTruthy();
});

test('shows figures, remaining impressions, and the ad on the page', async () => {
  fakeApi({ [GET]: runningAd({ impressions: 1_200, clicks: 30 }) });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  const figures = await screen.findByRole('region', { name: 'Status and stats' });
  expect(figures.textContent).toContain('Running');
  expect(figures.textContent).toContain('1,200 of 5,000');
  expect(figures.textContent).toContain('2.5%');
  expect(figures.textContent).toContain('3,800');
  expect(figures.textContent).toContain('Started 07/02/2030, 8:00 AM, ends 07/09/2030, 8:00 AM.');
  const shown = screen.getByRole('region', { name: 'On the page' });
  expect(shown.textContent).toContain('wharf.test');
});

test('shows the reason for a rejection as plain text, and keeps the submission', async () => {
  const rejection = '<b>No</b> brand of others';
  fakeApi({ [GET]: waitingAd({ state: 'rejected', isWaiting: false, rejection }) });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  expect(await screen.findByText(rejection)).toBeTruthy();
  expect(within(await form()).getByLabelText<HTMLInputElement>('Title').value).toBe(adContent.title);
});

test('an ended ad shows its figures and no form', async () => {
  fakeApi({ [GET]: runningAd({ state: 'ended', endedAt: '2030-07-09T12:00:00.000Z', impressions: 5_000 }) });
  renderAt(`/ad/${AD_ID}#key=secret-1`);
  expect(await screen.findByText('Ended 07/09/2030, 8:00 AM.')).toBeTruthy();
  expect(screen.queryByRole('form')).toBeNull();
});
