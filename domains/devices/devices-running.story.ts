import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Devices of the shops and what they report. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
