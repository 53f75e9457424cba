import { Rejected, type Decider } from '@beltway/event-store';
import type { VideoCommand, VideoEvent } from './events.ts';

export interface VideoState {
  videoId: number;
  uploaderId: number;
  status: 'none' | 'approved' | 'rejected' | 'removed';
  isFeatured: boolean;
  /** Who has reported it, ever. */
  reporters: Set<number>;
  openReports: number;
}

/** Reports that are written down; what so many say, an admin knows. */
export const MAX_REPORTS = 200;

const initial = (): VideoState => ({
  videoId: 0,
  uploaderId: 0,
  status: 'none',
  isFeatured: false,
  reporters: new Set(),
  openReports: 0,
});

const gone = () => new Rejected('video-removed', 'This video is not there any more.');

function decide(command: VideoCommand, state: VideoState): VideoEvent[] {
  const { videoId, uploaderId, status, isFeatured } = state;
  if (command.type === 'UploadVideo') {
    const { type: _type, ...video } = command;
    if (status !== 'none') throw new Rejected('video-exists', 'This video was uploaded before.');
    return [{ type: 'VideoUploaded', data: video }];
  }
  if (status === 'none') throw gone();
  if (command.type === 'RemoveVideo')
    return status === 'removed' ? [] : [{ type: 'VideoRemoved', data: { videoId, by: command.by } }];
  if (status === 'removed') throw gone();
  switch (command.type) {
    case 'ApproveVideo':
      return status === 'approved' ? [] : [{ type: 'VideoApproved', data: { videoId } }];
    case 'RejectVideo':
      return status === 'rejected' ? [] : [{ type: 'VideoRejected', data: { videoId } }];
    case 'FeatureVideo':
      if (status === 'rejected') throw new Rejected('video-rejected', 'Approve it first: nobody sees it.');
      return isFeatured ? [] : [{ type: 'VideoFeatured', data: { videoId } }];
    case 'UnfeatureVideo':
      return isFeatured ? [{ type: 'VideoUnfeatured', data: { videoId } }] : [];
    case 'ReportVideo': {
      const { reporterId, reason } = command;
      // Nobody else sees it.
      if (status === 'rejected') throw gone();
      if (reporterId === uploaderId) throw new Rejected('own-video', 'This is your own video: you can delete it.');
      if (state.reporters.has(reporterId) || state.reporters.size >= MAX_REPORTS) return [];
      return [{ type: 'VideoReported', data: { videoId, reporterId, reason } }];
    }
    case 'KeepVideo':
      return state.openReports === 0 ? [] : [{ type: 'VideoKept', data: { videoId } }];
  }
}

// May change the state it is given: the store owns it, and drops it if the append fails.
function evolve(state: VideoState, { type, data }: VideoEvent): VideoState {
  switch (type) {
    case 'VideoUploaded':
      state.videoId = data.videoId;
      state.uploaderId = data.uploaderId;
      state.status = 'approved';
      return state;
    case 'VideoApproved':
      state.status = 'approved';
      return state;
    case 'VideoRejected':
      state.status = 'rejected';
      state.isFeatured = false;
      state.openReports = 0;
      return state;
    case 'VideoFeatured':
      state.isFeatured = true;
      return state;
    case 'VideoUnfeatured':
      state.isFeatured = false;
      return state;
    case 'VideoReported':
      state.reporters.add(data.reporterId);
      state.openReports += 1;
      return state;
    case 'VideoKept':
      state.openReports = 0;
      return state;
    case 'VideoRemoved':
      state.status = 'removed';
      state.isFeatured = false;
      state.openReports = 0;
      return state;
  }
}

export const video: Decider<VideoState, VideoCommand, VideoEvent> = { initial, decide, evolve };
