import { mainJob } from './support/main-job.ts';
import { sharedStage } from './support/stage.ts';

mainJob(sharedStage());
