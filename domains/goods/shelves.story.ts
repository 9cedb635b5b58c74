import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Counts, returns, moves and price tags of the story. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
