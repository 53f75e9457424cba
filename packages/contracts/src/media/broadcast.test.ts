import { describe, expect, test } from 'vitest';
import { BroadcastUrlBody, outsideStreamOf } from './broadcast.ts';

describe('outsideStreamOf', () => {
  test.each([
    ['https://www.youtube.com/watch?v=jfKfPfyJRdk&t=5', 'https://www.youtube-nocookie.com/embed/jfKfPfyJRdk'],
    ['https://youtu.be/jfKfPfyJRdk', 'https://www.youtube-nocookie.com/embed/jfKfPfyJRdk'],
    ['https://youtube.com/live/jfKfPfyJRdk', 'https://www.youtube-nocookie.com/embed/jfKfPfyJRdk'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
  ])('embeds %s in a frame', (address, url) => {
    expect(outsideStreamOf(address)).toEqual({ kind: 'embed', url });
  });

  test('an HLS playlist on another site is played without its fragment', () => {
    expect(outsideStreamOf('https://cdn.example.org/live/a.m3u8?x=1#y')).toEqual({
      kind: 'hls',
      url: 'https://cdn.example.org/live/a.m3u8?x=1',
    });
  });

  test.each([
    'http://cdn.example.org/a.m3u8',
    'javascript:alert(1)//a.m3u8',
    'data:application/x-mpegurl,a.m3u8',
    'https://127.0.0.1/a.m3u8',
    'https://[::1]/a.m3u8',
    'https://localhost/a.m3u8',
    'https://cdn.example.org:8443/a.m3u8',
    'https://me:secret@cdn.example.org/a.m3u8',
    'https://cdn.example.org/a.mp4',
    'https://youtube.com.example.org/watch?v=jfKfPfyJRdk',
    'https://www.youtube.com/watch?v=%22%3E%3Cscript',
    'https://www.youtube.com/channel/UC123456',
    'https://vimeo.com/76979871/../../x',
    `https://cdn.example.org/${'a'.repeat(500)}.m3u8`,
    'a.m3u8',
    '',
  ])('refuses %s', (address) => {
    expect(outsideStreamOf(address)).toBeNull();
    expect(BroadcastUrlBody.safeParse({ livestreamUrl: address }).success).toBe(false);
  });
});
