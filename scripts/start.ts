import { main } from './launcher/main.ts';
import { beltway } from './launcher/system.ts';

await main(beltway);
