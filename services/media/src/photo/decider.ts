import { Rejected, type Decider } from '@beltway/event-store';
import type { PhotoCommand, PhotoEvent } from './events.ts';

export interface PhotoState {
  photoId: number;
  eventId: number;
  uploaderId: number;
  status: 'none' | 'pending' | 'verified' | 'rejected' | 'removed';
  /** Who has reported it, ever. */
  reporters: Set<number>;
  openReports: number;
}

/** Reports that are written down; what so many say, an admin knows. */
export const MAX_REPORTS = 200;

const initial = (): PhotoState => ({
  photoId: 0,
  eventId: 0,
  uploaderId: 0,
  status: 'none',
  reporters: new Set(),
  openReports: 0,
});

const gone = () => new Rejected('photo-removed', 'This photo is not there any more.');

function decide(command: PhotoCommand, state: PhotoState): PhotoEvent[] {
  if (command.type === 'UploadPhoto') {
    const { type: _type, verifiedBy, ...photo } = command;
    if (state.status !== 'none') throw new Rejected('photo-exists', 'This photo was uploaded before.');
    const { photoId, eventId, uploaderId } = photo;
    const uploaded: PhotoEvent = { type: 'PhotoUploaded', data: photo };
    if (!verifiedBy) return [uploaded];
    return [uploaded, { type: 'PhotoVerified', data: { photoId, eventId, uploaderId, how: verifiedBy } }];
  }
  const { photoId, eventId, uploaderId, status } = state;
  if (status === 'none') throw gone();
  switch (command.type) {
    case 'VerifyPhoto':
      if (status === 'removed') throw gone();
      if (status === 'verified') return [];
      return [{ type: 'PhotoVerified', data: { photoId, eventId, uploaderId, how: 'admin' } }];
    case 'RejectPhoto':
      if (status === 'removed') throw gone();
      return status === 'rejected' ? [] : [{ type: 'PhotoRejected', data: { photoId } }];
    case 'ReportPhoto': {
      const { reporterId, reason } = command;
      // Nobody else sees it otherwise.
      if (status !== 'verified') throw gone();
      if (reporterId === uploaderId) throw new Rejected('own-photo', 'This is your own photo: you can delete it.');
      if (state.reporters.has(reporterId) || state.reporters.size >= MAX_REPORTS) return [];
      return [{ type: 'PhotoReported', data: { photoId, reporterId, reason } }];
    }
    case 'KeepPhoto':
      if (status === 'removed') throw gone();
      return state.openReports === 0 ? [] : [{ type: 'PhotoKept', data: { photoId } }];
    case 'RemovePhoto':
      return status === 'removed' ? [] : [{ type: 'PhotoRemoved', data: { photoId, by: command.by } }];
  }
}

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(state: PhotoState, { type, data }: PhotoEvent): PhotoState {
  switch (type) {
    case 'PhotoUploaded':
      state.photoId = data.photoId;
      state.eventId = data.eventId;
      state.uploaderId = data.uploaderId;
      state.status = 'pending';
      return state;
    case 'PhotoVerified':
      state.status = 'verified';
      return state;
    case 'PhotoRejected':
      state.status = 'rejected';
      state.openReports = 0;
      return state;
    case 'PhotoReported':
      state.reporters.add(data.reporterId);
      state.openReports += 1;
      return state;
    case 'PhotoKept':
      state.openReports = 0;
      return state;
    case 'PhotoRemoved':
      state.status = 'removed';
      state.openReports = 0;
      return state;
  }
}

export const photo: Decider<PhotoState, PhotoCommand, PhotoEvent> = { initial, decide, evolve };
