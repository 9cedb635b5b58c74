import type { Db } from '#kit/server/database/db.ts'
import { storyOnPlatform } from '#domains/thirdparty/doors.ts'
import type { StoryStage } from '#domains/shops/doors.ts'

/** Two shops on Meituan, with their goods, licences and yesterday's orders. */
export const seed = (db: Db, stage: StoryStage): Promise<void> => storyOnPlatform(db, stage, 'meituan')
