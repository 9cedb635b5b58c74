import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** AI tasks and their runs. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
