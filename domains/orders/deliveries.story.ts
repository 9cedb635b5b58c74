import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Deliveries and what customers ordered from home. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
