import { mainJob } from './support/main-job.ts';
import { stage } from './support/stage.ts';

mainJob(stage());
