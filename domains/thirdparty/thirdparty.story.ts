import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Credentials of the outside platforms. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
