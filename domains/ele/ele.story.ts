import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Shops, goods and orders on Ele. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
