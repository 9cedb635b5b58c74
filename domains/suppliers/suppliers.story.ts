import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Suppliers, their goods and what was bought. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
