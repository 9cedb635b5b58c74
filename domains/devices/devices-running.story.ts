import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

import { tellQuotedSales } from './quoted-sales.story.ts'

/** Devices of the shops and what they report. */
export async function tell(db: Db, stage: StoryStage): Promise<void> {
  await tellQuotedSales(db, stage)
}
