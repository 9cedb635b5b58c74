import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Visits, work orders, leads: what keeps the people of the story busy. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
