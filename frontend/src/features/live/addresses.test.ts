import { expect, test } from 'vitest';
import { frameAddress, videoAddress } from './addresses.ts';

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//.m3u8',
  'data:text/html,<script>alert(1)</script>',
  'data:application/vnd.apple.mpegurl,#EXTM3U',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'http://cdn.example/live.m3u8',
  '//:0',
  'http://',
  '',
];

test('a video URL must belong to this site or use https', () => {
  const own = `${window.location.origin}/media/live/7/index.m3u8`;
  expect(videoAddress('/media/live/7/index.m3u8')).toEqual({ url: own, isOwn: true });
  expect(videoAddress('https://cdn.example/live.m3u8')).toEqual({ url: 'https://cdn.example/live.m3u8', isOwn: false });
  for (const address of HOSTILE.filter(Boolean)) expect(videoAddress(address), address).toBeNull();
});

test('a frame URL must belong to a site that the content policy allows', () => {
  const embed = 'https://www.youtube-nocookie.com/embed/abcdef';
  expect(frameAddress(embed)).toBe(embed);
  expect(frameAddress('https://player.vimeo.com/video/12345')).toBe('https://player.vimeo.com/video/12345');
  for (const address of [
    ...HOSTILE,
    'https://www.youtube.com/embed/abcdef',
    'https://www.youtube-nocookie.com.evil.example/embed/abcdef',
    'https://www.youtube-nocookie.com@evil.example/',
    'http://player.vimeo.com/video/12345',
    'https://player.vimeo.com:444/video/12345',
    '/event/7',
  ])
    expect(frameAddress(address), address).toBeNull();
});
