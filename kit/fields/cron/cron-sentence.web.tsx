import { useLanguage } from '#kit/web/base/language.tsx'
import { describeCron } from './cron-sentence.ts'

/** Shows a valid schedule as a sentence. Loaded apart, because few lists have schedules. */
export default function CronSentence({ cron }: { cron: string }) {
  return describeCron(cron, useLanguage())
}
