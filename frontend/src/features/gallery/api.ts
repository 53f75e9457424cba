import { EventList } from '@beltway/contracts/catalog/events';
import {
  GalleryEvents,
  Photo,
  PhotoLikes,
  PhotoPage,
  PhotosToCheck,
  UploadRights,
  VerificationRequests,
  type AskVerificationBody,
  type ModeratePhotoBody,
  type ReportPhotoBody,
} from '@beltway/contracts/media/gallery';
import { infiniteQueryOptions, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, get, post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { uploadWithProgress } from '../../lib/http/upload-with-progress.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

const GALLERY = '/api/gallery';
const LIST = [GALLERY, 'list'] as const;
type Pages = InfiniteData<PhotoPage, string>;

/** GET /api/gallery, page after page; for one event, or all events. */
export const photosQuery = (eventId: number | null) =>
  infiniteQueryOptions({
    queryKey: [...LIST, eventId] as const,
    queryFn: ({ pageParam, signal }): Promise<PhotoPage> => {
      const query = new URLSearchParams({
        limit: '24',
        ...(eventId !== null && { eventId: String(eventId) }),
        ...(pageParam && { cursor: pageParam }),
      });
      return get(`${GALLERY}?${query}`, PhotoPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Other accounts upload photos too, so a later visit refetches.
    staleTime: 30_000,
  });

export const photoQuery = (id: number) => apiQuery(Photo, GALLERY, id);
/** Events with photos, for the filter. */
export const photoEventsQuery = () => ({ ...apiQuery(GalleryEvents, GALLERY, 'events'), staleTime: 30_000 });
/** Upload rights change when other services publish changes and when an event starts. */
export const rightsQuery = () => ({ ...apiQuery(UploadRights, GALLERY, 'verification'), staleTime: 10_000 });
/** Events for the picker, loaded while the upload dialog is open. */
export const pickerQuery = () => apiQuery(EventList, '/api/events', 'all');

export type CheckStatus = 'pending' | 'reported';
export const toCheckQuery = (status: CheckStatus) =>
  infiniteQueryOptions({
    queryKey: [GALLERY, 'moderation', status] as const,
    queryFn: ({ pageParam, signal }): Promise<PhotosToCheck> =>
      get(`${GALLERY}/moderation?status=${status}${pageParam && `&cursor=${pageParam}`}`, PhotosToCheck, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
export const requestsQuery = () => ({ ...apiQuery(VerificationRequests, GALLERY, 'verifications'), staleTime: 0 });

interface UploadOptions {
  /** The idempotency key, so that a retry does not add a second photo. */
  key: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}
export const uploadPhoto = (form: FormData, { key, ...options }: UploadOptions): Promise<Photo> =>
  uploadWithProgress(`${GALLERY}/upload`, form, Photo, { ...options, headers: { 'idempotency-key': key } });
export const reportPhoto = (id: number, body: ReportPhotoBody) => post(`${GALLERY}/${id}/report`, body);
export const deletePhoto = (id: number) => del(`${GALLERY}/${id}`);
export const moderatePhoto = (id: number, body: ModeratePhotoBody) => post(`${GALLERY}/${id}/moderation`, body);
export const askVerification = (body: AskVerificationBody) => post(`${GALLERY}/verification`, body, UploadRights);
export const decideVerification = (userId: number, action: 'verify' | 'decline') =>
  post(`${GALLERY}/verifications/${userId}`, { action });

/** Refetches the gallery if it is on screen. */
export function useRefreshGallery(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [GALLERY] });
}

/** Likes a photo or removes the like. The change is shown immediately, and undone if the server rejects it. */
export function useLike() {
  const queries = useQueryClient();
  const change = (id: number, changed: (photo: Photo) => Photo) => {
    queries.setQueriesData<Pages>(
      { queryKey: LIST },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: page.items.map((photo) => (photo.id === id ? changed(photo) : photo)),
          })),
        },
    );
    queries.setQueryData(photoQuery(id).queryKey, (photo) => photo && changed(photo));
  };
  return useAction({
    mutationFn: ({ photo: { id }, wanted }: { photo: Photo; wanted: boolean }) =>
      wanted ? post(`${GALLERY}/${id}/like`, undefined, PhotoLikes) : del(`${GALLERY}/${id}/like`, PhotoLikes),
    // Requests run one after another, so that the last press counts.
    scope: { id: 'photo-likes' },
    onMutate: async ({ photo: { id }, wanted }) => {
      // A running fetch must not overwrite the optimistic change.
      await queries.cancelQueries({ queryKey: LIST });
      change(id, (photo) =>
        photo.isLiked === wanted ? photo : { ...photo, isLiked: wanted, likes: photo.likes + (wanted ? 1 : -1) },
      );
    },
    onSuccess: (answer, { photo: { id } }) => change(id, (photo) => ({ ...photo, ...answer })),
    failed: () => textsNow(texts)('notSaved'),
    onError: (_error, { photo: { id }, wanted }) => {
      change(id, (photo) =>
        photo.isLiked !== wanted ? photo : { ...photo, isLiked: !wanted, likes: photo.likes - (wanted ? 1 : -1) },
      );
    },
  });
}
