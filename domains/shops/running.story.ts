import type { Db } from '#kit/server/db.ts'
import type { StoryStage } from './story-stage.ts'

/** Events, visits, work orders: what happens in the shops of the story. */
export async function tell(_db: Db, _stage: StoryStage): Promise<void> {}
