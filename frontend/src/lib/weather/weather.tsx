import { Weather } from '@beltway/contracts/media/weather';
import type { Position } from '@beltway/places/distance';
import Cloud from 'lucide-react/icons/cloud';
import CloudFog from 'lucide-react/icons/cloud-fog';
import CloudLightning from 'lucide-react/icons/cloud-lightning';
import CloudRain from 'lucide-react/icons/cloud-rain';
import CloudSun from 'lucide-react/icons/cloud-sun';
import Snowflake from 'lucide-react/icons/snowflake';
import Sun from 'lucide-react/icons/sun';
import Thermometer from 'lucide-react/icons/thermometer';
import { apiQuery } from '../http/query.ts';

const TEN_MINUTES = 600_000;

/** GET /api/weather; sends the position rounded to a tenth of a degree. */
export const weatherQuery = (near?: Position) => ({
  ...apiQuery(Weather, near ? `/api/weather?near=${near.lat.toFixed(1)},${near.lon.toFixed(1)}` : '/api/weather'),
  refetchInterval: TEN_MINUTES,
});

/** 59 → "59°"; unknown: "–" */
export const degrees = (temperature: number | null): string => (temperature === null ? '–' : `${temperature}°`);

const ICONS = [
  [/thunder/i, CloudLightning],
  [/snow|ice|sleet|flurr/i, Snowflake],
  [/rain|drizzle|shower/i, CloudRain],
  [/fog|haze|mist|smoke/i, CloudFog],
  [/season/i, Thermometer],
  [/partly|mostly (clear|sunny)/i, CloudSun],
  [/clear|sunny|fair/i, Sun],
] as const;

/** The icon for a condition's text. */
export function ConditionIcon({ condition, className }: { condition: string; className?: string }) {
  const Icon = ICONS.find(([words]) => words.test(condition))?.[1] ?? Cloud;
  return <Icon aria-hidden className={className} />;
}
