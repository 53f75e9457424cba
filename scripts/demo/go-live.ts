import { LiveStreamList } from '@beltway/contracts/catalog/livestream';
import { LIVESTREAM } from '@beltway/contracts/catalog/livestream-config';
import { HOUR_MS } from '@beltway/contracts/common/times';
import { call, payByCard, whenHeard } from './calls.ts';
import { sampleStreams, type SampleStream } from './streams.ts';

export interface GoLiveOptions {
  urls: Record<'catalog' | 'payments' | 'media' | 'sandbox', string>;
  internalToken: string;
  publishableKey: string;
  /** Headers with the token of the organizer, who pays for the streams. */
  headers: Record<string, string>;
  /** Publishes an event that begins soon and lasts this many hours, and returns its id. */
  publish: (event: SampleStream, hours: number) => Promise<number>;
}

/**
 * Time from the request of a stream to its start, in ms. The start must be in the future when the stream is requested,
 * and in the past when the stream is paid. Then the stream goes live when its payment succeeds.
 */
const AHEAD_MS = 3_000;

/**
 * Sample live streams, one for each kind of place: an event, a paid live stream, and a clip instead of a camera. Keeps
 * existing streams, so a start after an interruption creates only the missing streams.
 */
export async function goLive(options: GoLiveOptions): Promise<number> {
  const answer = await fetch(new URL('/api/live-streams', options.urls.catalog));
  const there = LiveStreamList.parse(await answer.json());
  await Promise.all(
    sampleStreams.map(async (sample) => {
      const paid = there.find(({ title }) => title === sample.title);
      const eventId = paid?.id ?? (await schedule(options, sample));
      if (paid?.isLive) return;
      const clip = { clip: sample.category };
      const internal = { 'x-internal-token': options.internalToken };
      await whenHeard(() => call(options.urls.media, `/internal/broadcasts/${eventId}/clip`, clip, internal));
    }),
  );
  return sampleStreams.length;
}

/** Publishes the event and pays for its stream. Returns the event's id. */
async function schedule(
  { urls, publishableKey, headers, publish }: GoLiveOptions,
  sample: SampleStream,
): Promise<number> {
  const hours = LIVESTREAM.longestHours;
  const eventId = await publish(sample, hours);
  try {
    const { clientSecret } = await whenHeard(() => {
      const startTime = new Date(Date.now() + AHEAD_MS);
      const endTime = new Date(startTime.getTime() + hours * HOUR_MS);
      const settings = { maxViewers: 500, chatEnabled: true, recordingEnabled: false };
      const livestreamConfig = { startTime: startTime.toISOString(), endTime: endTime.toISOString(), ...settings };
      const body = { promotionLevel: 'livestream', eventId, livestreamConfig };
      return call(urls.payments, '/api/create-promotion-payment', body, headers);
    });
    const paymentIntentId = await payByCard(urls.sandbox, String(clientSecret), publishableKey);
    await call(urls.payments, '/api/confirm-promotion-payment', { paymentIntentId }, headers);
  } catch (error) {
    // An interrupted start has already paid for the stream, but the list does not contain it yet.
    if (!(error instanceof Error && error.message.includes('livestream-exists'))) throw error;
  }
  return eventId;
}
