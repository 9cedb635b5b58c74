import type { DraftOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { serve } from '#kit/server/room.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { doorControlLog } from './door-control-log.resource.ts'

export const doorControlLogServer = serve(doorControlLog)

/** Writes down a command to a door with what became of it. */
export async function logDoor(db: Db, command: DraftOf<typeof doorControlLog> & { shopId: string }): Promise<string> {
  const row = await db.insert(doorControlLog, command)
  publishChanged({ db }, doorControlLog, [row])
  return row.id
}
